import type { Memory } from '@memory-read/client';
import { fold, searchTexts } from '@memory-read/client/search';
import { checksumOf } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { withLargeKeys } from '../database/with-large-keys.ts';
import { ifWhole, readVersion } from '../history/stored-version.ts';
import { namesReader } from '../people/stored-names.ts';
import { keysOf, memoryKeyOf } from './index-keys.ts';
import { marksOf } from './marks.ts';
import { toStoredSegments } from './read-unit.ts';
import { tokensOf } from './tokens.ts';

/** Writes the words of a memory at its position in the index. The index must not contain the memory. */
export function indexMemory(database: MirrorDatabase, memoryKey: number, memory: Memory): void {
  const keys = keysOfMemory(database, memoryKey);
  if (keys === undefined) return;
  const writeUnit = database.prepare(
    'INSERT INTO units (unit_key, kind, speaker, text, segments, checksum) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const writeWords = database.prepare('INSERT INTO words (rowid, tokens, marks) VALUES (?, ?, ?)');
  const writeMemory = database.prepare('INSERT INTO memory_words (rowid, tokens) VALUES (?, ?)');
  for (const statement of [writeUnit, writeWords, writeMemory]) statement.setReadBigInts(true);
  const { numbers } = namesReader(database)(memory.id);
  const ofMemory = new Set<string>();
  withLargeKeys(database, () => {
    for (const [index, { kind, speaker, text, segments }] of searchTexts(memory).entries()) {
      const key = keys.last - BigInt(index);
      const tokens = tokensOf(fold(text));
      const stored = JSON.stringify(kind === 'name' ? memory.started_at : toStoredSegments({ speaker, segments }));
      writeUnit.run(key, kind, speaker, text, stored, checksumOf(kind, speaker, text, stored));
      if (tokens.length === 0) continue;
      for (const token of tokens) ofMemory.add(token);
      const person = speaker === null ? undefined : numbers.get(speaker);
      writeWords.run(key, tokens.join(' '), marksOf({ kind, speaker }, person).join(' '));
    }
    writeMemory.run(memoryKeyOf(keys.last), [...ofMemory].join(' '));
  });
}

/** Removes the words of a memory. Call it before the position of the memory changes. */
export function removeFromIndex(database: MirrorDatabase, memoryKey: number): void {
  const keys = keysOfMemory(database, memoryKey);
  if (keys === undefined) return;
  const find = database.prepare('SELECT unit_key FROM units WHERE unit_key BETWEEN ? AND ?');
  const remove = database.prepare('DELETE FROM words WHERE rowid = ?');
  const removeMemory = database.prepare('DELETE FROM memory_words WHERE rowid = ?');
  const removeUnits = database.prepare('DELETE FROM units WHERE unit_key BETWEEN ? AND ?');
  for (const statement of [find, remove, removeMemory, removeUnits]) statement.setReadBigInts(true);
  withLargeKeys(database, () => {
    for (const { unit_key } of find.all(keys.first, keys.last)) remove.run(unit_key as bigint);
    removeMemory.run(memoryKeyOf(keys.last));
    removeUnits.run(keys.first, keys.last);
  });
}

/** Writes the index of all memories again. A damaged memory has no words. */
export function indexAllMemories(database: MirrorDatabase): void {
  const read = database.prepare(
    `SELECT memory_id, versions.* FROM memories JOIN versions USING (memory_key)
    WHERE memory_key = ? AND version = indexed_version`,
  );
  withLargeKeys(database, () => {
    for (const table of ['words', 'memory_words'])
      database.exec(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
    database.exec('DELETE FROM units');
  });
  for (const { memory_key } of database.prepare('SELECT memory_key FROM memories').all()) {
    const memory = ifWhole(() => readVersion(read.get(Number(memory_key)) ?? {}));
    if (memory !== undefined) indexMemory(database, Number(memory_key), memory);
  }
}

function keysOfMemory(database: MirrorDatabase, memoryKey: number) {
  const row = database.prepare('SELECT start_slot, disambiguator FROM memories WHERE memory_key = ?').get(memoryKey);
  return row && keysOf(Number(row.start_slot), Number(row.disambiguator));
}
