import { rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { statusOf } from '../files/assert-path-type.ts';
import { filesIn } from './find-moved-files.ts';

/**
 * Removes the folder with all media of a memory, partial downloads and captions, except the files that are left. Returns
 * their paths. A link is removed, but not its target.
 */
export function removeMedia(folder: string, shortHash: string, left: readonly string[]): string[] {
  const path = join(folder, 'media', shortHash);
  if (!statusOf(join(folder, 'media'))?.isDirectory()) return [];
  const kept = left.filter((name) => name.startsWith(`media/${shortHash}/`));
  if (kept.length === 0 || !statusOf(path)?.isDirectory()) {
    rmSync(path, { recursive: true, force: true });
    return [];
  }
  for (const file of filesIn(path)) {
    if (!kept.includes(relative(folder, file).split(sep).join('/'))) rmSync(file);
  }
  return kept;
}
