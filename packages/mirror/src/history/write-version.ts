import { parseDateTime } from '@memory-read/contract/date-time';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { followNames, type NewDoubt } from '../people/follow-names.ts';
import { indexMemory, removeFromIndex } from '../search/index-memory.ts';
import { findPosition, slotOf } from '../search/index-position.ts';
import { hasWords } from './has-words.ts';
import type { StoredContent } from './stored-content.ts';
import { digestOfVersion, ifWhole, readVersion } from './stored-version.ts';
import { writeEvent } from './write-event.ts';

/** Data of a sync about a version, besides the content. */
export interface VersionDetails {
  /** Current time, in milliseconds since 1970. */
  now: number;
  /** Fields that differ from the previous version. Not used for a new memory. */
  fields: readonly string[];
}

/**
 * Writes a version of a memory with its event and its index. Call it in a transaction.
 *
 * A new memory gets the event `added`. A missing memory gets `returned` before `changed`. If only the previous version
 * has words, the index keeps it. Returns the names that became doubtful.
 */
export function writeVersion(
  database: MirrorDatabase,
  { memory, media }: StoredContent,
  { now, fields }: VersionDetails,
): { memoryKey: number; version: number; doubts: NewDoubt[] } {
  const instant = parseDateTime(memory.started_at) ?? 0;
  const { memoryKey, isNew, isMissing } = findMemory(database, memory.id) ?? addMemory(database, memory.id, instant);
  if (isMissing) writeEvent(database, memoryKey, { type: 'returned', now });
  const endsProcessing = !memory.is_processing && !wasProcessed(database, memoryKey);
  const { version, at } = isNew
    ? writeEvent(database, memoryKey, { type: 'added', now, endsProcessing })
    : writeEvent(database, memoryKey, { type: 'changed', now, fields, endsProcessing });
  const content = JSON.stringify(memory);
  const stored = { memoryId: memory.id, version, seenAt: at, media: media.join(' '), content };
  database
    .prepare('INSERT INTO versions (memory_key, version, seen_at, media, content, sha256) VALUES (?, ?, ?, ?, ?, ?)')
    .run(memoryKey, version, at, stored.media, stored.content, digestOfVersion(stored));
  database
    .prepare('UPDATE memories SET current_version = ?, started_at = ?, missing_since = NULL WHERE memory_key = ?')
    .run(version, instant, memoryKey);
  let doubts: NewDoubt[] = [];
  if (isNew || hasWords(memory) || !indexedHasWords(database, memoryKey)) {
    doubts = followNames(database, { memory, version });
    if (!isNew) removeFromIndex(database, memoryKey);
    moveIndex(database, { memoryKey, version, instant });
    indexMemory(database, memoryKey, memory);
  }
  return { memoryKey, version, doubts };
}

function findMemory(database: MirrorDatabase, memoryId: string) {
  const row = database.prepare('SELECT memory_key, missing_since FROM memories WHERE memory_id = ?').get(memoryId);
  if (row === undefined) return undefined;
  return { memoryKey: Number(row.memory_key), isNew: false, isMissing: row.missing_since !== null };
}

function addMemory(database: MirrorDatabase, memoryId: string, instant: number) {
  const { startSlot, disambiguator } = findPosition(database, instant);
  const { lastInsertRowid } = database
    .prepare(
      `INSERT INTO memories (memory_id, started_at, start_slot, disambiguator, current_version, indexed_version,
        last_event, last_event_at, read_at, list_state) VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, '')`,
    )
    .run(memoryId, instant, startSlot, disambiguator);
  return { memoryKey: Number(lastInsertRowid), isNew: true, isMissing: false };
}

function wasProcessed(database: MirrorDatabase, memoryKey: number): boolean {
  const find = database.prepare('SELECT 1 FROM events WHERE memory_key = ? AND ends_processing');
  return find.get(memoryKey) !== undefined;
}

/** A damaged version is replaced in the index. */
function indexedHasWords(database: MirrorDatabase, memoryKey: number): boolean {
  const row = database
    .prepare(
      `SELECT memory_id, versions.* FROM memories JOIN versions USING (memory_key)
      WHERE memory_key = ? AND version = indexed_version`,
    )
    .get(memoryKey);
  const memory = row && ifWhole(() => readVersion(row));
  return memory !== undefined && hasWords(memory);
}

function moveIndex(
  database: MirrorDatabase,
  { memoryKey, version, instant }: { memoryKey: number; version: number; instant: number },
): void {
  database.prepare('UPDATE memories SET indexed_version = ? WHERE memory_key = ?').run(version, memoryKey);
  const row = database.prepare('SELECT start_slot FROM memories WHERE memory_key = ?').get(memoryKey);
  if (row?.start_slot === slotOf(instant)) return;
  const { startSlot, disambiguator } = findPosition(database, instant);
  database
    .prepare('UPDATE memories SET start_slot = ?, disambiguator = ? WHERE memory_key = ?')
    .run(startSlot, disambiguator, memoryKey);
}
