import type { MirrorDatabase } from '../database/mirror-database.ts';
import { statement } from '../database/statement.ts';
import { DAY } from './delivery-rules.ts';
import { type DeliveryRow, type Sink, toRow } from './sink-rows.ts';

// Later events of a memory wait for earlier ones, unless those are parked.
const unblocked = `FROM deliveries WHERE sink_key = :sinkKey AND is_parked = 0 AND NOT EXISTS (
  SELECT 1 FROM deliveries AS earlier WHERE earlier.memory_key = deliveries.memory_key
    AND earlier.sink_key = deliveries.sink_key AND earlier.is_parked = 0 AND earlier.position < deliveries.position)`;

// As `storedTime` does.
const dueTime = `iif(next_try > :now + ${DAY}, 0, next_try)`;

/** Returns the row to try next: the oldest one that is due, after a failed try that with the fewest tries. */
export function nextRow(database: MirrorDatabase, sink: Sink, now: number): DeliveryRow | undefined {
  const order = sink.failures === 0 ? 'position' : 'attempts, position';
  const sql = `SELECT * ${unblocked} AND ${dueTime} <= :now ORDER BY ${order} LIMIT 1`;
  const row = statement(database, sql).get({ sinkKey: sink.sinkKey, now });
  return row && toRow(row);
}

/** Returns the earliest time at which a row is due, undefined if none waits. */
export function nextTimeOfRows(database: MirrorDatabase, { sinkKey }: Sink, now: number): number | undefined {
  const row = statement(database, `SELECT min(${dueTime}) AS time ${unblocked}`).get({ sinkKey, now });
  return typeof row?.time === 'number' ? row.time : undefined;
}

/** Returns whether an event of a memory waits, so that later ones wait too. */
export function isBlocked(database: MirrorDatabase, { sinkKey }: Sink, memoryKey: number): boolean {
  const sql = 'SELECT 1 FROM deliveries WHERE memory_key = ? AND sink_key = ? AND is_parked = 0';
  return statement(database, sql).get(memoryKey, sinkKey) !== undefined;
}

/** Makes the rows due that failed with the sink, or all rows that wait. */
export function makeDue(database: MirrorDatabase, { sinkKey }: Sink, which: 'failed with the sink' | 'all'): void {
  const condition = which === 'all' ? '' : 'AND is_at_fault = 0';
  const sql = `UPDATE deliveries SET next_try = 0 WHERE sink_key = ? AND is_parked = 0 AND next_try > 0 ${condition}`;
  statement(database, sql).run(sinkKey);
}
