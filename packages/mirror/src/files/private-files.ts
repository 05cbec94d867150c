import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Hardening } from './hardening.ts';

/** Creates a folder and its missing parents, for their owner only. Existing folders keep their permissions. */
export function makePrivateFolder(path: string, hardening: Hardening): void {
  makeFolder(path, hardening);
}

/**
 * Creates a folder and its missing parents. Without `hardening`, they follow the umask.
 *
 * The `recursive` option of Node gives the owner no permission under some umasks, and does not end below `/proc`.
 */
export function makeFolder(path: string, hardening?: Hardening): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent, hardening);
  try {
    mkdirSync(path, hardening && { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  hardening?.setMode(path, 0o700);
}

/** Creates an empty file for its owner only. An existing file is not changed. */
export function makePrivateFile(path: string, hardening: Hardening): void {
  if (existsSync(path)) return;
  const descriptor = openSync(path, 'a', 0o600);
  try {
    hardening.setMode(descriptor, 0o600);
  } finally {
    closeSync(descriptor);
  }
}
