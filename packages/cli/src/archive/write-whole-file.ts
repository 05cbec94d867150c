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

/** Puts content in the place of a file, which is whole at every moment: as it was, or as it is to be. */
export function writeWholeFile(path: string, content: string, temporary: string): void {
  writeNewFile(temporary, content);
  renameSync(temporary, path);
}
