import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, linkSync, rmSync } from 'node:fs';
import { writeNewFile } from './write-whole-file.ts';

export const withoutLinks = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'];

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
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Uses a link, because a rename would replace an existing file. */
function publish(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!withoutLinks.includes(codeOf(error) ?? '')) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
