import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents. The `recursive` option of Node never ends below `/proc`.
 *
 * @param mode Permissions of the new folders. Default: those of the system.
 */
export function makeDirectory(path: string, mode = 0o777): void {
  const directory = resolve(path);
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) makeDirectory(parent, mode);
  try {
    mkdirSync(directory, mode);
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
