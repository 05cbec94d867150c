import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, rmSync } from 'node:fs';
import { refusalCode } from '@memory-read/contract/file-errors';
import { writeNewFile } from './write-whole-file.ts';

/**
 * Creates a file for its owner only, with all of its content or not at all.
 *
 * An existing file stays unchanged, even if another process creates it at the same moment.
 */
export function createFileOnce(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeNewFile(temporary, content, 0o600);
    publish(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Uses a link, because a rename would replace an existing file. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (refusalCode(error) === undefined) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}
