import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertPathType, statusOf } from './assert-path-type.ts';
import type { DerivedFolder } from './derived-files.ts';

/**
 * Creates a folder below another one, and checks each folder of the path: a link could point anywhere.
 *
 * @throws {@link MirrorError} if a file or a link is in place of a folder.
 */
export function makeFolders(
  target: Pick<DerivedFolder, 'path' | 'isPrivate' | 'hardening'>,
  folder: string,
  checked: Set<string>,
): void {
  if (folder === '.' || checked.has(folder)) return;
  makeFolders(target, dirname(folder), checked);
  const { path, isPrivate, hardening } = target;
  const whole = join(path, folder);
  assertPathType('folder', whole, 'write to');
  if (!existsSync(whole)) {
    mkdirSync(whole, isPrivate ? { mode: 0o700 } : {});
    // The umask removes permissions from the mode of mkdir.
    if (isPrivate) hardening.setMode(whole, 0o700);
  }
  checked.add(folder);
}

/** Returns whether a path below a folder is a folder itself, and no part of it is a link. */
export function isRealFolder(path: string, folder: string, checked: Set<string>): boolean {
  if (folder === '.' || checked.has(folder)) return true;
  if (!isRealFolder(path, dirname(folder), checked)) return false;
  if (statusOf(join(path, folder))?.isDirectory() !== true) return false;
  checked.add(folder);
  return true;
}
