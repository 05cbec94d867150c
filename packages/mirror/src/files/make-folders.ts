import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertPathType, statusOf } from './assert-path-type.ts';
import type { DerivedFolder } from './derived-folder.ts';
import { makePrivateFolder } from './private-files.ts';

/**
 * Creates a folder below another one, and checks each folder of the path: a link could point anywhere.
 *
 * @throws {@link MirrorError} if a file or a link is in place of a folder.
 */
export function makeFolders(
  base: Pick<DerivedFolder, 'path' | 'isPrivate' | 'hardening'>,
  folder: string,
  checked: Set<string>,
): void {
  if (folder === '.' || checked.has(folder)) return;
  makeFolders(base, dirname(folder), checked);
  const { isPrivate, hardening } = base;
  const whole = join(base.path, folder);
  assertPathType('folder', whole, 'write to');
  if (!existsSync(whole)) {
    if (isPrivate) makePrivateFolder(whole, hardening);
    else mkdirSync(whole);
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
