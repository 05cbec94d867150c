import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { statusOf } from '../database/refuse-other.ts';

/** Replaces a private file atomically: the file has either the old or the new content. */
export function writePrivateFile(path: string, content: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    // The umask removes permissions from the mode of mkdir.
    chmodSync(folder, 0o700);
  }
  const temporary = join(folder, '.writing.tmp');
  rmSync(temporary, { recursive: true, force: true });
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      fchmodSync(descriptor, 0o600);
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
export function writeChangedFile(path: string, content: string): boolean {
  if (readIfThere(path)?.equals(Buffer.from(content)) === true) return false;
  writePrivateFile(path, content);
  return true;
}

/**
 * Returns the SHA-256 of a file's content; undefined if the path is missing. Another type, such as a link, belongs to
 * its owner.
 */
export function hashOfFile(path: string): string | undefined {
  if (statusOf(path)?.isFile() === false) return 'not a file';
  const content = readIfThere(path);
  return content === undefined ? undefined : hashOf(content);
}

export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
