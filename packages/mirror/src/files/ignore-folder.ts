import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IGNORE = '.gitignore';

/**
 * Keeps a new mirror in a Git repository out of its commits, as Python's `venv` does. In a folder with other files, git
 * would ignore these too, so nothing is written there.
 */
export function ignoreNewFolder(folder: string): void {
  if (readdirSync(folder).length === 0 && isInRepository(folder)) {
    writeFileSync(join(folder, IGNORE), '# memory-read wrote this file, so that git commits no memories.\n*\n');
  }
}

function isInRepository(folder: string): boolean {
  const parent = dirname(folder);
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent));
}
