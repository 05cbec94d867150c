import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { HistoryEventType } from './write-event.ts';

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

/** Returns the events of a memory, oldest first. */
export function listHistory(database: MirrorDatabase, memoryId: string): HistoryEvent[] {
  const rows = database
    .prepare(`SELECT events.* FROM memories JOIN events USING (memory_key) WHERE memory_id = ? ORDER BY events.version`)
    .all(memoryId);
  return rows.map(({ version, type, at, fields }) => ({
    version: Number(version),
    type: type as HistoryEventType,
    at: new Date(Number(at)),
    fields: JSON.parse(String(fields)) as string[],
  }));
}
