import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { statusOf } from './assert-path-type.ts';
import { isInside } from './is-inside.ts';
import { isRealFolder } from './make-folders.ts';

/** Returns the status of a recording; undefined if it is missing, or a link is in place of it or of a folder. */
export function statusOfMedia(folder: string, path: string): Stats | undefined {
  if (!isInside(path) || !isRealFolder(folder, dirname(path), new Set())) return undefined;
  const status = statusOf(join(folder, path));
  return status?.isFile() ? status : undefined;
}
