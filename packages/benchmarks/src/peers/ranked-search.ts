import { DatabaseSync } from 'node:sqlite';
import type { Memory } from '@memory-read/contract';

/** A full-text index as most programs make it: a row for each turn, hits in the order of their relevance. */
export interface RankedSearch {
  search(query: string): unknown[];
  close(): void;
}

/** Fills an index of FTS5 with the turns of memories. */
export function fillRankedSearch(path: string, memories: readonly Memory[]): RankedSearch {
  const database = new DatabaseSync(path);
  database.exec('CREATE VIRTUAL TABLE turns USING fts5(text); BEGIN');
  const insert = database.prepare('INSERT INTO turns VALUES (?)');
  for (const { transcript } of memories) {
    const segments = transcript?.segments ?? [];
    for (let at = 0; at < segments.length; at += 2) {
      insert.run(`${segments[at]?.text} ${segments[at + 1]?.text ?? ''}`);
    }
  }
  database.exec('COMMIT');
  const find = database.prepare('SELECT rowid, text FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT 20');
  return { search: (query) => find.all(query), close: () => database.close() };
}
