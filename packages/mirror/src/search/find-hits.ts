import type { Query } from '@memory-read/client/search';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MAXIMUM_KEY, memoryKeyOf, unitKeysOf } from './index-keys.ts';
import type { MemoryRange } from './memory-range.ts';
import type { QueryExpressions } from './query-expressions.ts';
import type { SearchHit } from './search-types.ts';
import type { HitReader } from './unit-hits.ts';

/** A query, and what reads its hits. */
export interface IndexSearch {
  query: Query;
  expressions: QueryExpressions;
  range: MemoryRange;
  hits: HitReader;
}

/** Place after a hit. */
export interface Place {
  tier: 'together' | 'apart';
  /** Key of the text for `together`, of the memory for `apart`. */
  key: bigint;
  /** Number of hits of the memory up to this one. */
  shown: number;
}

/** Returns whether the parts of a cursor are a place. */
export function isPlace({ tier, key, shown }: { tier: unknown; key: bigint; shown: unknown }): boolean {
  return (tier === 'together' || tier === 'apart') && key <= MAXIMUM_KEY && Number.isSafeInteger(shown);
}

/** Limits of a page. */
interface PageLimits {
  after: Place | undefined;
  limit: number;
  perMemory: number;
}

/** Returns the hits after a place: first the memories with all words in one text, then those with the words apart. */
export function findHits(
  database: MirrorDatabase,
  search: IndexSearch,
  { after, limit, perMemory }: PageLimits,
): { hit: SearchHit; place: Place }[] {
  const found: { hit: SearchHit; place: Place }[] = [];
  if (!hasCandidates(database, search)) return found;
  if (after?.tier !== 'apart') {
    for (const one of together(database, search, { after, perMemory })) if (found.push(one) === limit) return found;
  }
  // A later page does not know what an earlier one had.
  const hasTogether = after !== undefined || found.length > 0;
  const afterApart = after?.tier === 'apart' ? after : undefined;
  for (const one of apart(database, search, { after: afterApart, perMemory, hasTogether })) {
    if (found.push(one) === limit) return found;
  }
  return found;
}

/** Returns whether a memory can have all terms. If a word is in no memory, the index of the texts is not read. */
function hasCandidates(database: MirrorDatabase, { query, expressions }: IndexSearch): boolean {
  if (query.terms.length < 2) return true;
  const find = database.prepare('SELECT 1 FROM memory_words WHERE memory_words MATCH ? LIMIT 1');
  return find.get(expressions.memories) !== undefined;
}

function* together(
  database: MirrorDatabase,
  { expressions, range, hits }: IndexSearch,
  { after, perMemory }: Omit<PageLimits, 'limit'>,
) {
  const find = database.prepare(
    'SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC',
  );
  find.setReadBigInts(true);
  let memory = after && memoryKeyOf(after.key);
  let shown = after?.shown ?? 0;
  let isInRange = true;
  const last = after === undefined ? range.units.last : after.key - 1n;
  for (const row of find.iterate(expressions.all, range.units.first, last)) {
    const key = row.key as bigint;
    if (memoryKeyOf(key) !== memory) {
      memory = memoryKeyOf(key);
      shown = 0;
      isInRange = range.has(memory);
    }
    if (!isInRange || shown >= perMemory) continue;
    const hit = hits.together(key);
    if (hit === undefined) continue;
    shown += 1;
    yield { hit, place: { tier: 'together' as const, key, shown } };
  }
}

function* apart(
  database: MirrorDatabase,
  search: IndexSearch,
  { after, perMemory, hasTogether }: Omit<PageLimits, 'limit'> & { hasTogether: boolean },
) {
  // One word is never apart.
  if (search.query.terms.length < 2) return;
  const last = after === undefined ? search.range.memories.last : after.key;
  const reader = search.hits.apart(last);
  try {
    for (const key of apartMemories(database, search, { last, hasTogether })) {
      const from = key === after?.key ? after.shown : 0;
      const { hits } = reader.read(key);
      for (const [index, hit] of hits.slice(0, perMemory).entries()) {
        if (index >= from) yield { hit, place: { tier: 'apart' as const, key, shown: index + 1 } };
      }
    }
  } finally {
    reader.close();
  }
}

/** Yields the memories up to a key that have all terms, but not in one text. */
function* apartMemories(
  database: MirrorDatabase,
  { query, expressions, range }: IndexSearch,
  { last, hasTogether }: { last: bigint; hasTogether: boolean },
): Generator<bigint> {
  const { all, selected, selectsAll, memories, ofMemory } = expressions;
  const candidates = database.prepare(
    'SELECT rowid AS memory FROM memory_words WHERE memory_words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC',
  );
  candidates.setReadBigInts(true);
  const memoriesWith = (expression: string) =>
    descendingSet(database, expression, { first: range.memories.first, last });
  // A memory has the tokens of a term in any order, and of any text. The texts decide.
  const needed = query.terms
    .filter((term) => !selectsAll || ofMemory(term) === undefined)
    .map((term) => memoriesWith(selected(term)));
  const together = hasTogether ? [memoriesWith(all)] : [];
  try {
    for (const { memory } of candidates.iterate(memories, range.memories.first, last)) {
      const key = memory as bigint;
      const isApart = needed.every((set) => set.has(key)) && !together.some((set) => set.has(key));
      if (isApart && range.has(key)) yield key;
    }
  } finally {
    for (const set of [...needed, ...together]) set.close();
  }
}

/**
 * Returns the set of the memories with a text of an expression. Pass descending keys only: one statement reads the set as
 * far as needed. A statement for each key takes many times as long.
 */
function descendingSet(database: MirrorDatabase, expression: string, { first, last }: { first: bigint; last: bigint }) {
  const find = database.prepare(
    `SELECT DISTINCT memory FROM (SELECT rowid >> 16 AS memory FROM words
      WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT -1)`,
  );
  find.setReadBigInts(true);
  const rows = find.iterate(expression, unitKeysOf(first).first, unitKeysOf(last).last);
  let current: bigint | undefined = MAXIMUM_KEY;
  return {
    has: (key: bigint) => {
      while (current !== undefined && current > key) current = rows.next().value?.memory as bigint | undefined;
      return current === key;
    },
    close: () => void rows.return?.(),
  };
}
