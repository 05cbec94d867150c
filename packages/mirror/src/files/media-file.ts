import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { statusOf } from './assert-path-type.ts';
import { isInside } from './is-inside.ts';
import { isRealFolder } from './make-folders.ts';

/** Returns whether a path of the database is that of a recording. Another path is not used. */
export function isMediaPath(path: string): boolean {
  return /^media\/[0-9a-f]+\/[^/]+$/.test(path) && isInside(path);
}

/** Returns the status of a recording; undefined if it is missing, or a link is in place of it or of a folder. */
export function statusOfMedia(folder: string, path: string): Stats | undefined {
  if (!isMediaPath(path) || !isRealFolder(folder, dirname(path), new Set())) return undefined;
  const status = statusOf(join(folder, path));
  return status?.isFile() ? status : undefined;
}
