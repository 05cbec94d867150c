import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MemoryEventType } from './event-types.ts';

/** An event of the log, without its memory. */
export interface LogEntry {
  /** Twice the sequence of its row, plus 1 for the second event of a row. Never used twice. */
  position: number;
  memoryKey: number;
  memoryId: string;
  /** Number of the event within its memory. */
  version: number;
  type: MemoryEventType;
  /** Time of the sync that found it, in milliseconds since 1970. */
  at: number;
  /** Names of fields, also of those that the specification does not name. */
  fields: string[];
}

/** Returns at most `limit` events after a position, oldest first, of all types. */
export function entriesAfter(_database: MirrorDatabase, _position: number, _limit: number): LogEntry[] {
  throw new Error('not yet');
}

/** Returns the event at a position; undefined if it was purged, or never was. */
export function entryAt(_database: MirrorDatabase, _position: number): LogEntry | undefined {
  throw new Error('not yet');
}

/** Returns the position of the newest event, also of a purged one; 0 if there was none. */
export function newestPosition(_database: MirrorDatabase): number {
  throw new Error('not yet');
}

/** Returns the id of an event. */
export function idOf(_entry: LogEntry): string {
  throw new Error('not yet');
}

/** Returns the position of an id of this mirror, also of a purged event; undefined for any other text. */
export function positionOf(_database: MirrorDatabase, _id: string): number | undefined {
  throw new Error('not yet');
}
