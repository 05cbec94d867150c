import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a new file to the disk, with all of its content or not at all. */
export function writeNewFile(path: string, content: string): void {
  rmSync(path, { force: true });
  try {
    const descriptor = openSync(path, 'wx');
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** Replaces a file atomically: the file has either the old or the new content. */
export function writeWholeFile(path: string, content: string, temporary: string): void {
  writeNewFile(temporary, content);
  renameSync(temporary, path);
}
