import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statusOf } from './assert-path-type.ts';
import type { Hardening } from './hardening.ts';
import { makePrivateFolder } from './private-files.ts';

/** Replaces a private file atomically: the file has either the old or the new content. */
export function writePrivateFile(path: string, content: string, hardening: Hardening): void {
  const folder = dirname(path);
  makePrivateFolder(folder, hardening);
  const temporary = join(folder, '.writing.tmp');
  rmSync(temporary, { recursive: true, force: true });
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      hardening.setMode(descriptor, 0o600);
      writeFileSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Writes a private file unless it has this content already. Returns whether it was written. */
export function writeChangedFile(path: string, content: string, hardening: Hardening): boolean {
  if (hashOfFile(path) === hashOf(content)) return false;
  writePrivateFile(path, content, hardening);
  return true;
}

/**
 * Returns the SHA-256 of a file's content; undefined if the path is missing. Another type, such as a link, belongs to
 * its owner.
 */
export function hashOfFile(path: string): string | undefined {
  const status = statusOf(path);
  if (status === undefined) return undefined;
  return status.isFile() ? hashOf(readFileSync(path)) : 'not a file';
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
