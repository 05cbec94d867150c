import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { MirrorStorage } from '../database/open-database.ts';
import { hashOfFile } from '../files/write-private-file.ts';
import { pathOf } from './write-pages.ts';

/**
 * Removes the pages of a memory and their rows, but keeps pages that their owner has edited. Returns the paths of the
 * edited pages, relative to the folder of the mirror.
 */
export function removePages({ database, folder }: MirrorStorage, memoryKey: number): string[] {
  const row = database.prepare('SELECT * FROM pages WHERE memory_key = ?').get(memoryKey);
  if (row === undefined) return [];
  const left: string[] = [];
  const own = [row.written_hash, row.pending_hash];
  for (let number = 0; number <= Number(row.update_number); number += 1) {
    const path = pathOf(String(row.stem), number);
    const file = join(folder, path);
    if (!existsSync(file)) continue;
    if (own.includes(hashOfFile(file) ?? null)) rmSync(file);
    else left.push(path);
  }
  database.prepare('DELETE FROM pages WHERE memory_key = ?').run(memoryKey);
  return left;
}
