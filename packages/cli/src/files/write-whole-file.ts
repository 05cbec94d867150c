import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { unlessRefused } from '@memory-read/contract/file-errors';

/**
 * Writes a new file to the disk, with all of its content or not at all.
 *
 * @param mode Permissions of the file. Default: those of the system.
 */
export function writeNewFile(path: string, content: string, mode = 0o666): void {
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

/** Replaces a file atomically: it holds either the old or the new content. */
export function writeWholeFile(path: string, content: string, temporary: string, mode?: number): void {
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
