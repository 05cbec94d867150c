import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { digestFile } from '../files/digest-file.ts';
import { readRows } from '../files/file-rows.ts';
import { removeEmptyFolders } from '../files/remove-empty-folders.ts';
import { filesIn } from './find-moved-files.ts';

/**
 * Replaces the rows of a memory's files in a folder that is away by hashes of their paths and contents. Returns whether
 * there were any. Call it in a transaction.
 */
export function forgetFiles(database: MirrorDatabase, folderKey: number, memoryKey: number): boolean {
  const rows = readRows(database, folderKey).get(memoryKey) ?? [];
  const note = database.prepare('INSERT INTO forgotten_files (folder_key, path_hash, content_hash) VALUES (?, ?, ?)');
  for (const { path, intendedPath, written, intended } of rows) {
    for (const one of new Set([path, intendedPath ?? path])) {
      for (const hash of new Set([written, intended])) {
        if (hash !== null) note.run(folderKey, hashOf(one), Buffer.from(hash, 'hex'));
      }
    }
  }
  database.prepare('DELETE FROM files WHERE folder_key = ? AND memory_key = ?').run(folderKey, memoryKey);
  return rows.length > 0;
}

/** Removes the files of memories that were purged while the folder was away. Returns their paths. */
export async function removeForgotten(
  database: MirrorDatabase,
  { folderKey, path: folder }: { folderKey: number; path: string },
): Promise<string[]> {
  const rows = database
    .prepare('SELECT path_hash, content_hash FROM forgotten_files WHERE folder_key = ?')
    .all(folderKey);
  if (rows.length === 0) return [];
  const contents = new Map<string, Set<string>>();
  for (const { path_hash, content_hash } of rows) {
    const path = hex(path_hash);
    contents.set(path, (contents.get(path) ?? new Set()).add(hex(content_hash)));
  }
  const removed: string[] = [];
  for (const file of filesIn(folder)) {
    await yieldToEventLoop();
    const path = relative(folder, file).split(sep).join('/');
    const known = contents.get(hashOf(path).toString('hex'));
    const found = known && (await digestFile(file));
    if (found === undefined || !known?.has(found.sha256)) continue;
    rmSync(file);
    removed.push(path);
  }
  removeEmptyFolders(folder, removed);
  database.prepare('DELETE FROM forgotten_files WHERE folder_key = ?').run(folderKey);
  return removed;
}

/** Returns the SHA-256 that stays of a path or an id. */
export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hex(bytes: unknown): string {
  return Buffer.from(bytes as Uint8Array).toString('hex');
}
