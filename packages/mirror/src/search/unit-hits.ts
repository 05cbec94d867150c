import { coverOf, fold, hitOf, type Query, type SearchText, type TextSegments } from '@memory-read/client/search';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { namesReader } from '../people/stored-names.ts';
import { MAXIMUM_KEY, memoryKeyOf, placeOf, unitKeysOf } from './index-keys.ts';
import type { QueryExpressions } from './query-expressions.ts';
import { unitReader } from './read-unit.ts';
import type { SearchHit } from './search-types.ts';

/** Reads hits from the index, without parsing a transcript. */
export interface HitReader {
  /** Returns the hit of a text with all terms; undefined if it belongs to the text before. */
  together(unitKey: bigint): SearchHit | undefined;
  /** Opens a reader of memories whose texts have the terms apart, or only some of them, from a memory on. */
  apart(last: bigint): ApartReader;
}

/** Reads memories with descending keys only. One statement a term is read as far as needed. */
export interface ApartReader {
  /** Returns the hits of a memory, and the terms that it does not have. */
  read(memoryKey: bigint): { hits: SearchHit[]; missing: string[] };
  close(): void;
}

/** Returns a reader of the hits of a query. */
export function hitReader(database: MirrorDatabase, query: Query, { selected }: QueryExpressions): HitReader {
  const { terms, without } = query;
  const readUnit = unitReader(database);
  const readNames = namesReader(database);
  const findMemory = database.prepare(
    `SELECT memory_id, missing_since, indexed_version, current_version FROM memories
    WHERE start_slot = ? AND disambiguator = ?`,
  );
  const readText = (key: bigint): SearchText | undefined => {
    const unit = readUnit(key);
    if (unit === undefined) return undefined;
    const { kind, speaker, text, segments } = unit;
    return { kind, speaker, person: null, text, segments: kind === 'transcript' ? (segments as TextSegments) : null };
  };
  const readMemory = (memoryKey: bigint) => {
    const name = readUnit(unitKeysOf(memoryKey).last);
    const memory = findMemory.get(...placeOf(memoryKey));
    if (name === undefined || memory === undefined) return undefined;
    const memoryId = String(memory.memory_id);
    return { name: name.text, startedAt: String(name.segments), memoryId, memory, names: readNames(memoryId).names };
  };
  // The hits of a memory are read one after the other.
  let last: { key: bigint; read: ReturnType<typeof readMemory> } | undefined;
  /** A text, a name or a memory that is damaged is left out. */
  const readHit = (key: bigint, text: SearchText | undefined, isContinued: boolean): SearchHit | undefined => {
    const hit = text && hitOf(text, terms, isContinued);
    if (hit === undefined) return undefined;
    const memoryKey = memoryKeyOf(key);
    if (last?.key !== memoryKey) last = { key: memoryKey, read: readMemory(memoryKey) };
    if (last.read === undefined) return undefined;
    const { memoryId, name, startedAt, memory, names } = last.read;
    return {
      memoryId,
      name,
      startedAt,
      missingSince: memory.missing_since === null ? null : new Date(Number(memory.missing_since)),
      version: Number(memory.indexed_version),
      isOutdated: memory.indexed_version !== memory.current_version,
      ...hit,
      person: hit.speaker === null ? null : (names[hit.speaker] ?? null),
    };
  };
  /** A hit in a repeated part belongs to the text before only if that one was searched. */
  const isContinued = (key: bigint, text: SearchText | undefined) => {
    if (!text?.segments?.repeated) return true;
    if (without.length === 0) return true;
    const before = fold(readText(key + 1n)?.text ?? '');
    return !without.some(({ folded }) => before.includes(folded));
  };
  return {
    together: (key) => {
      const text = readText(key);
      return readHit(key, text, isContinued(key, text));
    },
    apart: (last) => {
      const readers = terms.map((term) => textReader(database, selected(term), last));
      return {
        read: (memoryKey) => {
          const found = new Map<bigint, number[]>();
          const missing: string[] = [];
          for (const [term, reader] of readers.entries()) {
            const keys = reader.read(memoryKey);
            for (const key of keys) found.set(key, [...(found.get(key) ?? []), term]);
            if (keys.length === 0) missing.push(terms[term]?.text ?? '');
          }
          const keys = [...found.keys()].sort((one, other) => (one > other ? -1 : 1));
          const chosen = coverOf(keys.map((key) => found.get(key) ?? [])).map((index) => keys[index] as bigint);
          return { hits: chosen.flatMap((key) => readHit(key, readText(key), false) ?? []), missing };
        },
        close: () => {
          for (const { close } of readers) close();
        },
      };
    },
  };
}

/** Returns a reader of the texts of an expression, memory by memory. */
function textReader(database: MirrorDatabase, expression: string, last: bigint) {
  const find = database.prepare(
    'SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid <= ? ORDER BY rowid DESC',
  );
  find.setReadBigInts(true);
  const rows = find.iterate(expression, unitKeysOf(last).last);
  let next: bigint | undefined = MAXIMUM_KEY;
  const advance = () => {
    next = rows.next().value?.key as bigint | undefined;
  };
  return {
    read: (memoryKey: bigint) => {
      const range = unitKeysOf(memoryKey);
      const keys: bigint[] = [];
      while (next !== undefined && next > range.last) advance();
      for (; next !== undefined && next >= range.first; advance()) keys.push(next);
      return keys;
    },
    close: () => void rows.return?.(),
  };
}
