import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { MirrorStorage } from '../database/open-database.ts';
import { statusOf } from '../files/assert-path-type.ts';
import { isTemporary } from '../files/temporary-path.ts';

/**
 * Removes the recordings and partial downloads of a memory, and their folder if nothing else is in it. Returns the paths
 * of the other files, which belong to the owner. A link in place of the folder is removed, but not its target.
 */
export function removeMedia(
  { database, folder }: MirrorStorage,
  { memoryKey, shortHash }: { memoryKey: number; shortHash: string },
): string[] {
  const name = `media/${shortHash}`;
  const path = join(folder, name);
  const status = statusOf(join(folder, 'media'))?.isDirectory() ? statusOf(path) : undefined;
  if (status?.isSymbolicLink()) rmSync(path);
  else if (status && !status.isDirectory()) return [name];
  if (!status?.isDirectory()) return [];
  const recordings = database.prepare('SELECT path FROM media WHERE memory_key = ?').all(memoryKey);
  const own = new Set(recordings.map((row) => row.path));
  const left: string[] = [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  for (const { parentPath, name } of entries.filter((entry) => !entry.isDirectory())) {
    const file = join(parentPath, name);
    const fromMirror = relative(folder, file).split(sep).join('/');
    if (own.has(fromMirror) || isTemporary(name) || isPartial(name)) rmSync(file);
    else left.push(fromMirror);
  }
  try {
    rmdirSync(path);
  } catch {
    // Something is left in it.
  }
  return left;
}

/** Returns whether `saveMedia` gave a file this name, which holds the beginning of a recording. */
function isPartial(name: string): boolean {
  return /^\.memory-read-[0-9a-f]{16}-[0-9a-f]*\.[0-9a-f]{16}\.part$/.test(name);
}
