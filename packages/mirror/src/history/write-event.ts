import { checksumOf } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';

/** Types of events of a memory. */
export type HistoryEventType = 'added' | 'changed' | 'missing' | 'returned';

interface NewEvent {
  type: HistoryEventType;
  /** Current time, in milliseconds since 1970. The event gets a later one if the clock was set back. */
  now: number;
  fields?: readonly string[];
}

/** Writes the next event of a memory. Returns its number and its time. */
export function writeEvent(
  database: MirrorDatabase,
  memoryKey: number,
  { type, now, fields = [] }: NewEvent,
): { version: number; at: number } {
  const row = database.prepare('SELECT last_event, last_event_at FROM memories WHERE memory_key = ?').get(memoryKey);
  const version = Number(row?.last_event) + 1;
  const at = version === 1 ? now : Math.max(now, Number(row?.last_event_at) + 1);
  const names = JSON.stringify(fields);
  database
    .prepare('INSERT INTO events (memory_key, version, type, at, fields, checksum) VALUES (?, ?, ?, ?, ?, ?)')
    .run(memoryKey, version, type, at, names, checksumOf(memoryKey, version, type, at, names));
  database
    .prepare('UPDATE memories SET last_event = ?, last_event_at = ? WHERE memory_key = ?')
    .run(version, at, memoryKey);
  return { version, at };
}
