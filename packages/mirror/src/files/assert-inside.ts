import { join } from 'node:path';
import { MirrorError } from '../errors/mirror-error.ts';

/** Returns whether a relative path with `/` stays in its folder, on every system. */
export function isInside(path: string): boolean {
  return !/[\\\0]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part));
}

/** Returns whether a path of the database is that of a recording. Another path is not used. */
export function isMediaPath(path: string): boolean {
  return /^media\/[0-9a-f]+\/[^/]+$/.test(path) && isInside(path);
}

/**
 * Returns the absolute path of a path that the database names. Another program can have written the database.
 *
 * @throws {@link MirrorError} with the code `damaged` if the path leaves its folder. The message does not quote it.
 */
export function assertInside(folder: string, path: string): string {
  if (isInside(path)) return join(folder, path);
  const reason = `its database names a file outside of ${JSON.stringify(folder)}`;
  throw new MirrorError('damaged', `Failed to use the mirror: ${reason}. Restore mirror.sqlite from a backup.`);
}
