import { DatabaseSync } from 'node:sqlite';
import type { Memory } from '@memory-read/contract';

/** Number of hits on a first page. */
const pageLength = 20;

/**
 * Another way to search turns: all words of a query have to be in one turn. A query is words, a `beginning*` or a
 * `"phrase"`, and it returns the first page.
 */
export type SearchPeer = (query: string) => unknown[];

/** Fills a full-text index of FTS5 with the turns of memories. Hits are in the order of their relevance. */
export function fillRankedSearch(memories: readonly Memory[], path: string): SearchPeer {
  const database = new DatabaseSync(path);
  database.exec('CREATE VIRTUAL TABLE turns USING fts5(text); BEGIN');
  const insert = database.prepare('INSERT INTO turns VALUES (?)');
  for (const text of memories.flatMap(turnsOf)) insert.run(text);
  database.exec('COMMIT');
  const find = database.prepare(`SELECT rowid, text FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ${pageLength}`);
  return (query) => find.all(query);
}

/** Keeps each memory as JSON, and parses one after the other, the newest first, until a page is full. */
export function keepJson(memories: readonly Memory[]): SearchPeer {
  const texts = memories.map((memory) => JSON.stringify(memory)).reverse();
  return (query) => {
    const patterns = (query.match(/"[^"]+"|\S+/g) ?? []).map(patternOf);
    const hits: string[] = [];
    for (const json of texts) {
      for (const turn of turnsOf(JSON.parse(json) as Memory)) {
        if (patterns.every((pattern) => pattern.test(turn)) && hits.push(turn) === pageLength) return hits;
      }
    }
    return hits;
  };
}

function patternOf(term: string): RegExp {
  const text = term.replace(/["*]/g, '');
  // There is no word boundary between two Japanese characters.
  if (!/\w/.test(text)) return new RegExp(text);
  return new RegExp(`\\b${text}${term.endsWith('*') ? '' : '\\b'}`, 'i');
}

/** Returns the texts of the turns: two segments in a row have the same speaker. */
function turnsOf({ transcript }: Memory): string[] {
  const segments = transcript?.segments ?? [];
  const texts: string[] = [];
  for (let at = 0; at < segments.length; at += 2) texts.push(`${segments[at]?.text} ${segments[at + 1]?.text ?? ''}`);
  return texts;
}
