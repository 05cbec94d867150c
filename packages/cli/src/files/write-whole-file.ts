import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { refusalCode, unlessRefused } from '@memory-read/contract/file-errors';

/**
 * Writes a new file to the disk, with all of its content or not at all.
 *
 * @param mode Permissions of the file. Default: those of the system.
 */
function writeNewFile(path: string, content: string, mode = 0o666): void {
  rmSync(path, { force: true });
  withoutLeftover(path, () => {
    const descriptor = openSync(path, 'wx', mode);
    try {
      writeFileSync(descriptor, content);
      unlessRefused(() => fsyncSync(descriptor));
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Returns an unused path beside a path. */
export function temporaryPath(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Gives a complete file its name, unless a file has it: a rename would replace one that appeared meanwhile. */
export function placeNewFile(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' && refusalCode(error) === undefined) throw error;
    if (lstatSync(path, { throwIfNoEntry: false })) return false;
    renameSync(temporary, path);
  }
  return true;
}

/**
 * Creates a file for its owner only, with all of its content or not at all.
 *
 * An existing file stays unchanged, even if another process creates it at the same moment.
 */
export function createFileOnce(path: string, content: string): void {
  const temporary = temporaryPath(path);
  try {
    writeNewFile(temporary, content, 0o600);
    placeNewFile(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Replaces a file atomically: it holds either the old or the new content. */
export function writeWholeFile(path: string, content: string, temporary = temporaryPath(path), mode?: number): void {
  writeNewFile(temporary, content, mode);
  withoutLeftover(temporary, () => renameSync(temporary, path));
}

/** Removes the file if the work with it fails. */
function withoutLeftover(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
