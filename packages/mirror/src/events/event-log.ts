import type { MirrorDatabase } from '../database/mirror-database.ts';
import { damagedHistory, isWholeEvent } from '../history/list-history.ts';
import { parseStored } from '../history/stored-version.ts';
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

/** Version of the tables since which a mirror has a log. */
export const LOG_VERSION = 5;

type Row = Readonly<Record<string, unknown>>;

/**
 * Returns at most `limit` events after a position, oldest first, of all types. Before a damaged event it returns fewer.
 *
 * @throws {@link MirrorError} with the code `damaged` if the first of them is damaged.
 */
export function entriesAfter(database: MirrorDatabase, position: number, limit: number): LogEntry[] {
  // The first row can have no second event.
  const rows = readRows(database, Math.ceil(position / 2), limit + 1);
  const entries: LogEntry[] = [];
  for (const row of rows) {
    if (isDamaged(row)) {
      if (entries.length > 0) break;
      throw damagedHistory(row.memory_id);
    }
    entries.push(...entriesOf(row).filter((entry) => entry.position > position));
  }
  return entries.slice(0, limit);
}

/**
 * Returns the event at a position; undefined if it was purged, or never was.
 *
 * @throws {@link MirrorError} with the code `damaged`.
 */
export function entryAt(database: MirrorDatabase, position: number): LogEntry | undefined {
  const sequence = Math.floor(position / 2);
  const [row] = readRows(database, sequence, 1);
  if (row?.sequence !== sequence) return undefined;
  if (isDamaged(row)) throw damagedHistory(row.memory_id);
  return entriesOf(row).find((entry) => entry.position === position);
}

/** Returns the number of events of these types after a position, also of damaged ones. */
export function countAfter(database: MirrorDatabase, position: number, types: ReadonlySet<MemoryEventType>): number {
  const groups = database
    .prepare(
      `SELECT type, ends_processing, count(*) AS count, sequence * 2 = :position AS is_first FROM events
      WHERE sequence >= :first GROUP BY type, ends_processing, is_first`,
    )
    .all({ position, first: Math.ceil(position / 2) });
  const counts = groups.map((row) => {
    const left = typesOf(row).slice(Number(row.is_first));
    return left.filter((type) => types.has(type)).length * Number(row.count);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the position of the newest event, also of a purged one; 0 if there was none. It has no event after it. */
export function newestPosition(database: MirrorDatabase): number {
  const row = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get();
  return row === undefined ? 0 : 2 * Number(row.seq) + 1;
}

function readRows(database: MirrorDatabase, sequence: number, limit: number): Row[] {
  return database
    .prepare(
      `SELECT events.*, memory_id FROM events LEFT JOIN memories USING (memory_key)
      WHERE sequence >= ? ORDER BY sequence LIMIT ?`,
    )
    .all(sequence, limit);
}

function isDamaged(row: Row): boolean {
  return row.memory_id === null || !isWholeEvent(row) || !Array.isArray(parseStored(row.fields));
}

function entriesOf(row: Row): LogEntry[] {
  const { sequence, memory_key, memory_id, version, at, fields } = row;
  return typesOf(row).map((type, index) => ({
    position: 2 * Number(sequence) + index,
    memoryKey: Number(memory_key),
    memoryId: String(memory_id),
    version: Number(version),
    type,
    at: Number(at),
    fields: (parseStored(fields) as unknown[]).map(String),
  }));
}

/** Returns the types of the events of a row. */
function typesOf({ type, ends_processing }: Row): MemoryEventType[] {
  if (type === 'missing') return ['memory.missing'];
  if (type === 'changed') return [ends_processing ? 'memory.processed' : 'memory.changed'];
  return ends_processing ? ['memory.added', 'memory.processed'] : ['memory.added'];
}
