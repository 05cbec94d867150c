import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { CommandError, exitCodes } from '../terminal/command-error.ts';

interface PrivateFileOptions {
  /** Whether a file of another owner may be readable for others, as the files that orchestrators mount. Default: false. */
  isForService?: boolean | undefined;
}

/**
 * Reads a file that only its owner may read. Returns undefined if the file does not exist.
 *
 * @throws CommandError if other users can read the file.
 */
export function readPrivateFile(path: string, { isForService = false }: PrivateFileOptions = {}): string | undefined {
  const descriptor = openIfAny(path);
  if (descriptor === undefined) return undefined;
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw unreadable(path, 'it is not a regular file', 'Replace it with a file.');
    // Windows has no such permissions, and protects the folders of its users.
    const isOpenToOthers = process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
    const isMounted = isForService && stats.uid !== process.getuid?.() && (stats.mode & 0o022) === 0;
    if (isOpenToOthers && !isMounted) {
      throw unreadable(path, 'other users have access to it', `Run chmod 600 '${path}'.`);
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function openIfAny(path: string): number | undefined {
  try {
    // Reading a named pipe would block until another process writes to it.
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unreadable(path, `it cannot be opened (${code})`, 'Check its permissions.');
  }
}

function unreadable(path: string, reason: string, advice: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to read ${path}: ${reason}. ${advice}`);
}
