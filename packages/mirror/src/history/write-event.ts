import { checksumOf } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';

/** Types of events of a memory. */
export type HistoryEventType = 'added' | 'changed' | 'missing' | 'returned';

interface NewEvent {
  type: HistoryEventType;
  /** Current time, in milliseconds since 1970. The event gets a later one if the clock was set back. */
  now: number;
  fields?: readonly string[];
  /** Whether the details say for the first time that the memory is processed. Default: `false`. */
  endsProcessing?: boolean;
}

/** Writes the next event of a memory. Returns its number and its time. */
export function writeEvent(
  database: MirrorDatabase,
  memoryKey: number,
  { type, now, fields = [], endsProcessing = false }: NewEvent,
): { version: number; at: number } {
  const row = database.prepare('SELECT last_event, last_event_at FROM memories WHERE memory_key = ?').get(memoryKey);
  const version = Number(row?.last_event) + 1;
  const at = version === 1 ? now : Math.max(now, Number(row?.last_event_at) + 1);
  const event = {
    ...{ memory_key: memoryKey, version, type, at, fields: JSON.stringify(fields) },
    ends_processing: Number(endsProcessing),
  };
  database
    .prepare(
      `INSERT INTO events (memory_key, version, type, at, fields, ends_processing, checksum)
      VALUES (:memory_key, :version, :type, :at, :fields, :ends_processing, :checksum)`,
    )
    .run({ ...event, checksum: checksumOf(...checkedValues(event)) });
  database
    .prepare('UPDATE memories SET last_event = ?, last_event_at = ? WHERE memory_key = ?')
    .run(version, at, memoryKey);
  return { version, at };
}

/** Returns the values of a row of `events` that its checksum covers. A mirror of an earlier version has no `ends_processing`. */
export function checkedValues(row: Readonly<Record<string, unknown>>): unknown[] {
  const { memory_key, version, type, at, fields, ends_processing } = row;
  return [memory_key, version, type, at, fields, ...(ends_processing ? [ends_processing] : [])];
}
