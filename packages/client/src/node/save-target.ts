import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { checkValue } from '../configuration/check-options.ts';
import { kind } from '../configuration/option-kinds.ts';
import { refuseOption } from '../configuration/refuse-option.ts';
import { refuseTarget } from './save-error.ts';

/** Target of a saved file. */
export interface SaveTarget {
  /** Absolute path without symbolic links. */
  readonly path: string;
  /** Permissions of the existing file; undefined if the file does not exist. */
  readonly mode: number | undefined;
}

/** The action in messages. */
export const saveAction = 'save media';

const pathText = kind('a string', 'Pass the path of a file.', (value) => typeof value === 'string');

/** Checks the path before the download. A link is followed, and the file that it names is replaced. */
export async function findTarget(path: string): Promise<SaveTarget> {
  checkValue(saveAction, 'the path', path, pathText);
  if (path === '' || path.includes('\0')) {
    throw refuseOption(saveAction, 'the path is empty or contains a NUL character', 'Pass the path of a file.');
  }
  const entry = await lstat(resolve(path)).catch(ignoreMissing);
  const isLink = entry?.isSymbolicLink() === true;
  const target = isLink ? await realpath(path).catch(ignoreMissing) : await placeIn(dirname(resolve(path)), path);
  if (target === undefined && isLink)
    throw refuseTarget(path, 'the path is a broken symbolic link', 'Remove the link.');
  if (target === undefined) throw refuseTarget(path, 'its folder does not exist', 'Create the folder first.');
  const found = await stat(target).catch(ignoreMissing);
  if (found?.isDirectory()) throw refuseTarget(path, 'the path is a folder', 'Pass the path of a file.');
  if (found && !found.isFile()) throw refuseTarget(path, 'the path is not a regular file', 'Pass the path of a file.');
  return { path: target, mode: found?.mode };
}

async function placeIn(folder: string, path: string): Promise<string | undefined> {
  const found = await realpath(folder).catch(ignoreMissing);
  return found && (await stat(found)).isDirectory() ? join(found, basename(resolve(path))) : undefined;
}

/** A path below a file does not exist either. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code))) throw error;
}
