import { lstatSync, type Stats } from 'node:fs';
import { MirrorError } from '../errors/mirror-error.ts';

/**
 * Allows a path that is missing, or is what is expected.
 *
 * @throws {@link MirrorError} if the path is something else, such as a link, which would lead out of the mirror.
 */
export function refuseOther(expected: 'file' | 'folder', path: string, action: string): void {
  const status = statusOf(path);
  if (status === undefined || (expected === 'file' ? status.isFile() : status.isDirectory())) return;
  const found = status.isSymbolicLink() ? 'a symbolic link' : `not a ${expected}`;
  const message = `Failed to ${action} ${JSON.stringify(path)}: it is ${found}. Remove it, and try again.`;
  throw new MirrorError('storage', message);
}

/** Returns what lies at a path, without following a link; undefined if nothing does. */
export function statusOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
