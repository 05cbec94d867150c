import { createHash } from 'node:crypto';
import type { Memory } from '@memory-read/client';
import type { MirrorDatabase } from '../database/open-database.ts';
import { withLargeKeys } from '../database/with-large-keys.ts';
import type { HitKind } from './search-types.ts';
import { speakerKey, tokenize } from './tokens.ts';
import { unitsOf } from './units.ts';

/** Keys of the units of a memory. The first unit has the last key. */
interface KeyRange {
  first: bigint;
  last: bigint;
}

const UNIT_BITS = 16n;
const PLACE_BITS = 29n;

/** Returns the keys of all units of a slot, or of a memory in it. */
export function keysOf(startSlot: number, disambiguator?: number): KeyRange {
  const slot = BigInt(startSlot) << PLACE_BITS;
  if (disambiguator === undefined) return { first: slot, last: slot + (1n << PLACE_BITS) - 1n };
  const first = slot + (BigInt(disambiguator) << UNIT_BITS);
  return { first, last: first + (1n << UNIT_BITS) - 1n };
}

/** Returns the key of the first unit of the memory that has this unit. */
export function nameKeyOf(unitKey: bigint): bigint {
  return unitKey | ((1n << UNIT_BITS) - 1n);
}

/** Returns the position of the memory that has this unit. */
export function placeOf(unitKey: bigint): [startSlot: number, disambiguator: number] {
  return [Number(unitKey >> PLACE_BITS), Number((unitKey >> UNIT_BITS) & 0x1fffn)];
}

/** Returns the token that represents a kind in the index. */
export function kindMark(kind: HitKind): string {
  return `k${kind}`;
}

/** Returns the token that represents a speaker in the index. */
export function speakerMark(key: string): string {
  return `s${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/** Writes the words of a memory at its position in the index. The index must not contain the memory. */
export function indexMemory(database: MirrorDatabase, memoryKey: number, memory: Memory): void {
  const keys = keysOfMemory(database, memoryKey);
  if (keys === undefined) return;
  const writeUnit = database.prepare(
    'INSERT INTO units (unit_key, kind, speaker, text, segments) VALUES (?, ?, ?, ?, ?)',
  );
  const writeWords = database.prepare('INSERT INTO words (rowid, tokens, marks) VALUES (?, ?, ?)');
  for (const statement of [writeUnit, writeWords]) statement.setReadBigInts(true);
  withLargeKeys(database, () => {
    for (const [index, { kind, speaker, text, segments }] of unitsOf(memory).entries()) {
      const key = keys.last - BigInt(index);
      const tokens = tokenize(text).map((token) => token.text);
      writeUnit.run(key, kind, speaker, text, JSON.stringify(segments));
      if (tokens.length === 0) continue;
      const marks = [kindMark(kind), ...(speaker === null ? [] : [speakerMark(speakerKey(speaker))])];
      writeWords.run(key, tokens.join(' '), marks.join(' '));
    }
  });
}

/** Removes the words of a memory. Call it before the position of the memory changes. */
export function removeFromIndex(database: MirrorDatabase, memoryKey: number): void {
  const keys = keysOfMemory(database, memoryKey);
  if (keys === undefined) return;
  const find = database.prepare('SELECT unit_key FROM units WHERE unit_key BETWEEN ? AND ?');
  const remove = database.prepare('DELETE FROM words WHERE rowid = ?');
  const removeUnits = database.prepare('DELETE FROM units WHERE unit_key BETWEEN ? AND ?');
  for (const statement of [find, remove, removeUnits]) statement.setReadBigInts(true);
  withLargeKeys(database, () => {
    for (const { unit_key } of find.all(keys.first, keys.last)) remove.run(unit_key as bigint);
    removeUnits.run(keys.first, keys.last);
  });
}

function keysOfMemory(database: MirrorDatabase, memoryKey: number): KeyRange | undefined {
  const row = database.prepare('SELECT start_slot, disambiguator FROM memories WHERE memory_key = ?').get(memoryKey);
  return row && keysOf(Number(row.start_slot), Number(row.disambiguator));
}
