import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';

/** A row of `sinks`. Times are milliseconds since 1970. */
export interface Sink {
  sinkKey: number;
  name: string;
  position: number;
  accepted: number;
  acceptedAt: number | null;
  failures: number;
  failedPosition: number | null;
  nextTry: number;
  isStopped: boolean;
}

/** A row of `deliveries`. Times are milliseconds since 1970. */
export interface DeliveryRow {
  position: number;
  memoryKey: number;
  isParked: boolean;
  attempts: number;
  counted: number;
  isAtFault: boolean;
  firstAccepted: number;
  lastAccepted: number;
  failedAt: number | null;
  nextTry: number;
  error: string | null;
}

type StoredRow = Readonly<Record<string, unknown>>;

/** Returns the sinks, by name. */
export function readSinks(database: MirrorDatabase): Sink[] {
  return database.prepare('SELECT * FROM sinks ORDER BY name').all().map(toSink);
}

/** Returns the sink with a name, or undefined. */
export function findSink(database: MirrorDatabase, name: string): Sink | undefined {
  const row = statement(database, 'SELECT * FROM sinks WHERE name = ?').get(name);
  return row && toSink(row);
}

/** Adds a sink that begins after a position. */
export function addSink(database: MirrorDatabase, name: string, position: number): void {
  database
    .prepare('INSERT INTO sinks (name, position, accepted, failures, next_try, is_stopped) VALUES (?, ?, 0, 0, 0, 0)')
    .run(name, position);
}

export function writeSink(database: MirrorDatabase, sink: Sink): void {
  statement(
    database,
    `UPDATE sinks SET position = ?, accepted = ?, accepted_at = ?, failures = ?, failed_position = ?, next_try = ?,
      is_stopped = ? WHERE sink_key = ?`,
  ).run(
    ...[sink.position, sink.accepted, sink.acceptedAt, sink.failures, sink.failedPosition, sink.nextTry],
    ...[Number(sink.isStopped), sink.sinkKey],
  );
}

/** Removes a sink and what it has set aside. */
export function deleteSink(database: MirrorDatabase, { sinkKey }: Sink): void {
  for (const table of ['deliveries', 'sinks']) database.prepare(`DELETE FROM ${table} WHERE sink_key = ?`).run(sinkKey);
}

/** Moves a sink behind the events that it has taken. */
export function moveSink(database: MirrorDatabase, { sinkKey }: Sink, position: number): void {
  statement(database, 'UPDATE sinks SET position = ? WHERE sink_key = ?').run(position, sinkKey);
}

/** Returns what a sink has set aside, oldest first. */
export function readRows(database: MirrorDatabase, { sinkKey }: Sink): DeliveryRow[] {
  return database.prepare('SELECT * FROM deliveries WHERE sink_key = ? ORDER BY position').all(sinkKey).map(toRow);
}

/** Returns numbers of what a sink has set aside, and the position of the oldest event that is not parked. */
export function countRows(
  database: MirrorDatabase,
  { sinkKey }: Sink,
): {
  retrying: number;
  parked: number;
  oldest: number | undefined;
} {
  const sql = `SELECT count(*) AS rows, total(is_parked) AS parked, min(iif(is_parked, NULL, position)) AS oldest
    FROM deliveries WHERE sink_key = ?`;
  const { rows, parked, oldest } = statement(database, sql).get(sinkKey) ?? {};
  const retrying = Number(rows) - Number(parked);
  return { retrying, parked: Number(parked), oldest: oldest === null ? undefined : Number(oldest) };
}

/** Returns what a sink has set aside of a position, or undefined. */
export function findRow(database: MirrorDatabase, { sinkKey }: Sink, position: number): DeliveryRow | undefined {
  const sql = 'SELECT * FROM deliveries WHERE sink_key = ? AND position = ?';
  const row = statement(database, sql).get(sinkKey, position);
  return row && toRow(row);
}

/** Returns whether another event that is not at fault has failed since the receiver accepted one. */
export function othersFail(database: MirrorDatabase, { sinkKey, accepted }: Sink, position: number): boolean {
  const sql = `SELECT 1 FROM deliveries WHERE sink_key = ? AND last_accepted = ? AND attempts > 0
    AND is_at_fault = 0 AND is_parked = 0 AND position <> ? LIMIT 1`;
  return statement(database, sql).get(sinkKey, accepted, position) !== undefined;
}

/** Stores what is set aside. Nothing is stored if a purge has removed the event since it was read. */
export function writeRow(database: MirrorDatabase, { sinkKey }: Sink, row: DeliveryRow): void {
  statement(
    database,
    `INSERT OR REPLACE INTO deliveries (sink_key, position, memory_key, is_parked, attempts, counted, is_at_fault,
      first_accepted, last_accepted, failed_at, next_try, error)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM events WHERE sequence = ?)`,
  ).run(
    ...[sinkKey, row.position, row.memoryKey, Number(row.isParked), row.attempts, row.counted, Number(row.isAtFault)],
    ...[row.firstAccepted, row.lastAccepted, row.failedAt, row.nextTry, row.error, Math.floor(row.position / 2)],
  );
}

export function deleteRow(database: MirrorDatabase, { sinkKey }: Sink, position: number): void {
  statement(database, 'DELETE FROM deliveries WHERE sink_key = ? AND position = ?').run(sinkKey, position);
}

/** Returns a row without tries: it is due as soon as no earlier event of its memory waits. */
export function untriedRow({ position, memoryKey }: { position: number; memoryKey: number }): DeliveryRow {
  const tries = { isParked: false, attempts: 0, counted: 0, isAtFault: false, firstAccepted: 0, lastAccepted: 0 };
  return { position, memoryKey, ...tries, failedAt: null, nextTry: 0, error: null };
}

function toSink(row: StoredRow): Sink {
  return {
    sinkKey: Number(row.sink_key),
    name: String(row.name),
    position: Number(row.position),
    accepted: Number(row.accepted),
    acceptedAt: row.accepted_at as number | null,
    failures: Number(row.failures),
    failedPosition: row.failed_position as number | null,
    nextTry: Number(row.next_try),
    isStopped: row.is_stopped === 1,
  };
}

export function toRow(row: StoredRow): DeliveryRow {
  return {
    position: Number(row.position),
    memoryKey: Number(row.memory_key),
    isParked: row.is_parked === 1,
    attempts: Number(row.attempts),
    counted: Number(row.counted),
    isAtFault: row.is_at_fault === 1,
    firstAccepted: Number(row.first_accepted),
    lastAccepted: Number(row.last_accepted),
    failedAt: row.failed_at as number | null,
    nextTry: Number(row.next_try),
    error: row.error as string | null,
  };
}
