import { DatabaseSync } from 'node:sqlite';
import type { Memory } from '@memory-read/contract';
import { pageLength, type SearchPeer, turnsOf } from './search-peer.ts';

/** Fills a full-text index of FTS5 with the turns of memories. Hits are in the order of their relevance. */
export function fillRankedSearch(path: string, memories: readonly Memory[]): SearchPeer {
  const database = new DatabaseSync(path);
  database.exec('CREATE VIRTUAL TABLE turns USING fts5(text); BEGIN');
  const insert = database.prepare('INSERT INTO turns VALUES (?)');
  for (const text of memories.flatMap(turnsOf)) insert.run(text);
  database.exec('COMMIT');
  const find = database.prepare(`SELECT rowid, text FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ${pageLength}`);
  return { search: (query) => find.all(query), close: () => database.close() };
}
