import { coverOf, fold, hitOf, type Query, type SearchText, type TextSegments } from '@memory-read/client/search';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { memoryKeyOf, placeOf, unitKeysOf } from './index-keys.ts';
import type { QueryExpressions } from './query-expressions.ts';
import type { SearchHit } from './search-types.ts';

/** Reads hits from the index, without parsing a transcript. */
export interface HitReader {
  /** Returns the hit of a text with all terms; undefined if it belongs to the text before. */
  together(unitKey: bigint): SearchHit | undefined;
  /** Returns the hits of a memory whose texts have the terms apart, or only some of them. */
  apart(memoryKey: bigint): { hits: SearchHit[]; missing: string[] };
}

/** Returns a reader of the hits of a query. */
export function hitReader(database: MirrorDatabase, query: Query, { selected }: QueryExpressions): HitReader {
  const { terms, without } = query;
  const findUnit = database.prepare('SELECT kind, speaker, text, segments FROM units WHERE unit_key = ?');
  const findUnits = database.prepare(
    'SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC',
  );
  findUnits.setReadBigInts(true);
  const findMemory = database.prepare(
    `SELECT memory_id, missing_since, indexed_version, current_version FROM memories
    WHERE start_slot = ? AND disambiguator = ?`,
  );
  const readText = (key: bigint): SearchText => {
    const { kind, speaker, text, segments } = findUnit.get(key) as Record<string, string | null>;
    const isOfTranscript = kind === 'transcript';
    return {
      kind: kind as SearchText['kind'],
      speaker: speaker as string | null,
      text: String(text),
      segments: isOfTranscript ? (JSON.parse(String(segments)) as TextSegments) : null,
    };
  };
  const readHit = (key: bigint, text: SearchText): SearchHit | undefined => {
    const hit = hitOf(text, terms);
    if (hit === undefined) return undefined;
    const memoryKey = memoryKeyOf(key);
    const name = findUnit.get(unitKeysOf(memoryKey).last) ?? {};
    const memory = findMemory.get(...placeOf(memoryKey)) ?? {};
    return {
      memoryId: String(memory.memory_id),
      name: String(name.text),
      startedAt: String(JSON.parse(String(name.segments))),
      missingSince: memory.missing_since === null ? null : new Date(Number(memory.missing_since)),
      version: Number(memory.indexed_version),
      isOutdated: memory.indexed_version !== memory.current_version,
      ...hit,
    };
  };
  /** A hit in a repeated part belongs to the text before only if that one was searched. */
  const isContinued = (key: bigint, { segments }: SearchText) => {
    if (!segments?.repeated) return true;
    if (without.length === 0) return true;
    const before = fold(readText(key + 1n).text);
    return !without.some(({ folded }) => before.includes(folded));
  };
  return {
    together: (key) => {
      const text = readText(key);
      return readHit(key, isContinued(key, text) ? text : alone(text));
    },
    apart: (memoryKey) => {
      const { first, last } = unitKeysOf(memoryKey);
      const found = new Map<bigint, number[]>();
      const present = new Set<number>();
      for (const [term, one] of terms.entries()) {
        for (const { key } of findUnits.all(selected(one), first, last)) {
          found.set(key as bigint, [...(found.get(key as bigint) ?? []), term]);
          present.add(term);
        }
      }
      const keys = [...found.keys()].sort((one, other) => (one > other ? -1 : 1));
      const chosen = coverOf(keys.map((key) => found.get(key) ?? [])).map((index) => keys[index] as bigint);
      return {
        hits: chosen.flatMap((key) => readHit(key, alone(readText(key))) ?? []),
        missing: terms.filter((_, term) => !present.has(term)).map(({ text }) => text),
      };
    },
  };
}

/** Returns the text as one that repeats no other. */
function alone(text: SearchText): SearchText {
  return text.segments === null ? text : { ...text, segments: { ...text.segments, repeated: 0 } };
}
