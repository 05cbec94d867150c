import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { fileErrorCode, refusalCode } from '@memory-read/contract/file-errors';
import type { DerivedFolder } from './derived-folder.ts';
import { stampOf } from './digest-file.ts';
import type { Hardening } from './hardening.ts';

/** Content of a derived file: a text, or a file of the mirror. */
export type FileContent = { text: string } | MediaContent;

/** A media file of the mirror. */
export interface MediaContent {
  /** Absolute path in the mirror. */
  source: string;
  sha256: string;
  /** Whether the file takes its own space, which a link does not. */
  copy: boolean;
  signal?: AbortSignal | undefined;
}

/** A file that was written. */
export interface WrittenFile {
  /** Size in bytes. */
  size: number;
  /** SHA-256 of the content, in hexadecimal. */
  sha256: string;
  /** Whether it shares its space with the file of the mirror. */
  linked: boolean;
}

export function hashOf(content: FileContent): string {
  if ('source' in content) return content.sha256;
  return createHash('sha256').update(content.text).digest('hex');
}

/** Returns whether a file that has these bytes already shares them, although it should take its own space. */
export function isUnwantedLink(content: FileContent, stamp: string): boolean {
  return 'source' in content && content.copy && stampOf(content.source) === stamp;
}

/** Writes a complete file at an unused path. */
export async function writeTemporary(
  content: FileContent,
  path: string,
  { isPrivate, hardening }: Pick<DerivedFolder, 'isPrivate' | 'hardening'>,
): Promise<WrittenFile> {
  if ('text' in content) {
    const descriptor = openSync(path, 'wx', isPrivate ? 0o600 : 0o666);
    try {
      if (isPrivate) hardening.setMode(descriptor, 0o600);
      writeFileSync(descriptor, content.text);
      await hardening.sync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return { size: Buffer.byteLength(content.text), sha256: hashOf(content), linked: false };
  }
  const { source, sha256 } = content;
  const linked = !content.copy && (clone(source, path) || link(source, path));
  if (!linked) await copy(content, path, hardening);
  return { size: lstatSync(path).size, sha256, linked };
}

async function copy({ source, signal }: MediaContent, path: string, hardening: Hardening): Promise<void> {
  const handle = await open(path, 'wx', 0o666);
  try {
    await handle.writeFile(createReadStream(source), { signal });
    await hardening.sync(handle.fd);
  } finally {
    await handle.close();
  }
}

/** Shares the space, but not the bytes: a program that writes to the clone does not change the mirror. */
function clone(source: string, path: string): boolean {
  const descriptor = openSync(path, 'wx', 0o666);
  const { mode } = fstatSync(descriptor);
  closeSync(descriptor);
  const isCloned = tryTo(() => copyFileSync(source, path, constants.COPYFILE_FICLONE_FORCE));
  // A clone gets the mode of its source, which only its owner can read.
  if (isCloned) tryTo(() => chmodSync(path, mode & 0o777));
  else rmSync(path, { force: true });
  return isCloned;
}

/** A program that writes to the link would change the mirror, so that its mode allows no write. */
function link(source: string, path: string): boolean {
  if (!tryTo(() => linkSync(source, path))) return false;
  if (tryTo(() => chmodSync(path, 0o400))) return true;
  rmSync(path);
  return false;
}

/**
 * Moves a complete file to its path. Returns `false`, and leaves both files, if a new file would replace one that
 * appeared meanwhile.
 */
export function placeFile(temporary: string, { path, isNew }: { path: string; isNew: boolean }): boolean {
  if (!isNew) {
    renameSync(temporary, path);
    return true;
  }
  return moveFile(temporary, path);
}

/** Moves a file, also if it has the other name already. Never replaces another file, for which it returns `false`. */
export function moveFile(from: string, to: string): boolean {
  if (!canMove(from, to)) return false;
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined) {
    if (tryTo(() => linkSync(from, to))) unlinkSync(from);
    else renameSync(from, to);
  } else if (hasBothNames(from, to)) unlinkSync(from);
  else renameSync(from, to);
  return true;
}

/** Returns whether a file exists, and no other one has the new name. */
export function canMove(from: string, to: string): boolean {
  const [here, there] = [from, to].map((path) => lstatSync(path, { throwIfNoEntry: false, bigint: true }));
  return here !== undefined && (there === undefined || (there.ino === here.ino && there.dev === here.dev));
}

/** A move that was killed leaves two names of a file. A disk that ignores case shows one name as both. */
function hasBothNames(from: string, to: string): boolean {
  if (dirname(from) !== dirname(to)) return from.toLowerCase() !== to.toLowerCase();
  const names = readdirSync(dirname(from));
  return [from, to].every((path) => names.includes(basename(path)));
}

/** Returns whether the disk supports a link or a clone, which another disk does not. */
function tryTo(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (refusalCode(error) === undefined && !['EXDEV', 'EMLINK'].includes(fileErrorCode(error) ?? '')) throw error;
    return false;
  }
}
