import { isWhole } from '../database/checksum.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { assertUnknown, parseStored } from './stored-version.ts';
import { checkedValues, type HistoryEventType } from './write-event.ts';

/** A change of a memory that a sync found. */
export interface HistoryEvent {
  /** Number of the event within its memory, from 1. */
  version: number;
  type: HistoryEventType;
  /** Time of the sync that found it. */
  at: Date;
  /** Names of the fields that differ if the type is `changed`; otherwise empty. */
  fields: string[];
}

/**
 * Returns the events of a memory, oldest first.
 *
 * @throws {@link MirrorError} with the code `damaged`.
 */
export function listHistory(database: MirrorDatabase, memoryId: string): HistoryEvent[] {
  const rows = database
    .prepare(
      `SELECT last_event, events.* FROM memories JOIN events USING (memory_key) WHERE memory_id = ? ORDER BY events.version`,
    )
    .all(memoryId);
  if (rows.length === 0) assertUnknown(database, memoryId);
  else if (rows.length !== rows[0]?.last_event) throw damagedHistory(memoryId);
  return rows.map((row, index) => {
    const { version, type, at, fields } = row;
    const names = parseStored(fields);
    if (!isWholeEvent(row) || version !== index + 1 || !Array.isArray(names)) throw damagedHistory(memoryId);
    return { version, type: type as HistoryEventType, at: new Date(Number(at)), fields: names as string[] };
  });
}

/** Returns whether a row of `events` is as it was written. */
export function isWholeEvent(row: Readonly<Record<string, unknown>>): boolean {
  return isWhole(row.checksum, ...checkedValues(row));
}

export function damagedHistory(memoryId: unknown): MirrorError {
  const reason = 'an event is damaged in the mirror';
  return new MirrorError(
    'damaged',
    `Failed to read the history of ${JSON.stringify(memoryId)}: ${reason}. Restore mirror.sqlite from a backup.`,
  );
}
