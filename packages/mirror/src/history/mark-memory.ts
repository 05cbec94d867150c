import type { MirrorDatabase } from '../database/mirror-database.ts';
import { writeEvent } from './write-event.ts';

/** Records that a memory is missing from the list. */
export function markMissing(database: MirrorDatabase, memoryKey: number, now: number): void {
  const { at } = writeEvent(database, memoryKey, { type: 'missing', now });
  database.prepare('UPDATE memories SET missing_since = ? WHERE memory_key = ?').run(at, memoryKey);
}

/** Records that a missing memory is in the list again. */
export function markReturned(database: MirrorDatabase, memoryKey: number, now: number): void {
  writeEvent(database, memoryKey, { type: 'returned', now });
  database.prepare('UPDATE memories SET missing_since = NULL WHERE memory_key = ?').run(memoryKey);
}

/** Records that the details of a memory were read and have not changed. */
export function noteRead(
  database: MirrorDatabase,
  memoryKey: number,
  { now, listState }: { now: number; listState: string },
): void {
  database
    .prepare('UPDATE memories SET read_at = ?, list_state = ? WHERE memory_key = ?')
    .run(now, listState, memoryKey);
}
