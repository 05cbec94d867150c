import { rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Removes the folders of files that were removed, if they are empty. Returns the paths of those that are gone. */
export function removeEmptyFolders(root: string, files: readonly string[]): string[] {
  const removed: string[] = [];
  for (const start of new Set(files.map((path) => dirname(path)))) {
    for (let folder = start; folder !== '.'; folder = dirname(folder)) {
      try {
        rmdirSync(join(root, folder));
        removed.push(folder);
      } catch {
        break;
      }
    }
  }
  return removed;
}
