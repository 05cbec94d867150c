import { crc32 } from 'node:zlib';
import { fold } from '@memory-read/client/search';
import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { memoryKeyOf } from '../search/index-keys.ts';
import { marksReader } from '../search/marks.ts';
import { toUnit } from '../search/read-unit.ts';
import { tokensOf } from '../search/tokens.ts';

/**
 * Returns whether the indexes of words have the words of the texts, and no others. The check of SQLite compares only
 * parts of an index with each other.
 */
export async function hasAllWords(database: MirrorDatabase): Promise<boolean> {
  const [texts, memories] = [new Map<bigint, number>(), new Map<bigint, Set<string>>()];
  const readMarks = marksReader(database);
  const units = database.prepare('SELECT * FROM units');
  units.setReadBigInts(true);
  for (const row of units.iterate()) {
    await yieldToEventLoop();
    const unit = toUnit(row);
    if (unit === undefined) return false;
    const key = row.unit_key as bigint;
    const tokens = tokensOf(fold(unit.text));
    if (tokens.length > 0) texts.set(key, sumOf([...tokens, ...readMarks(key, unit)]));
    const ofMemory = memories.get(memoryKeyOf(key)) ?? new Set();
    for (const token of tokens) ofMemory.add(token);
    memories.set(memoryKeyOf(key), ofMemory);
  }
  const sums = new Map([...memories].flatMap(([key, tokens]) => (tokens.size > 0 ? [[key, sumOf(tokens)]] : [])));
  return (await isEqual(database, 'words', texts)) && (await isEqual(database, 'memory_words', sums));
}

/** The order of words is not compared. */
function sumOf(tokens: Iterable<string>): number {
  let sum = 0;
  for (const token of tokens) sum += crc32(token);
  return sum;
}

async function isEqual(database: MirrorDatabase, index: string, expected: Map<bigint, number>): Promise<boolean> {
  database.exec(`CREATE VIRTUAL TABLE temp.found_words USING fts5vocab(main, ${index}, instance)`);
  try {
    const found = new Map<bigint, number>();
    const rows = database.prepare('SELECT term, doc FROM temp.found_words');
    rows.setReadBigInts(true);
    for (const { term, doc } of rows.iterate()) {
      await yieldToEventLoop();
      found.set(doc as bigint, (found.get(doc as bigint) ?? 0) + crc32(String(term)));
    }
    return found.size === expected.size && [...found].every(([key, sum]) => expected.get(key) === sum);
  } finally {
    database.exec('DROP TABLE temp.found_words');
  }
}
