import { lstatSync, type Stats } from 'node:fs';
import { MirrorError } from '../errors/mirror-error.ts';

/**
 * Accepts a path that is missing or has the expected type.
 *
 * @throws {@link MirrorError} if the path has another type, such as a link, which could point out of the mirror.
 */
export function assertPathType(expected: 'file' | 'folder', path: string, action: string): void {
  const status = statusOf(path);
  if (status === undefined || (expected === 'file' ? status.isFile() : status.isDirectory())) return;
  const found = status.isSymbolicLink() ? 'a symbolic link' : `not a ${expected}`;
  const message = `Failed to ${action} ${JSON.stringify(path)}: it is ${found}. Remove it, and try again.`;
  throw new MirrorError('storage', message);
}

/** Returns the status of a path, without following a link; undefined if the path is missing. */
export function statusOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
