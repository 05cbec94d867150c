import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { knownSink } from './change-sinks.ts';
import { storedTime } from './delivery-rules.ts';
import type { Delivery } from './delivery-types.ts';
import { idOf } from './event-id.ts';
import { entryAt } from './event-log.ts';
import { type DeliveryRow, readRows, type Sink } from './sink-rows.ts';

type State = Delivery['state'];

/**
 * Returns what a sink has set aside, oldest first.
 *
 * @throws {@link MirrorError} with the code `not_found` if there is no such sink.
 */
export function listDeliveries(
  database: MirrorDatabase,
  { action, sinkName, state, now }: { action: string; sinkName: string; state: State | undefined; now: number },
): Delivery[] {
  return inSnapshot(database, () => {
    const sink = knownSink(database, action, sinkName);
    const waiting = new Set<number>();
    return readRows(database, sink).flatMap((row) => {
      const isWaiting = waiting.has(row.memoryKey);
      if (!row.isParked) waiting.add(row.memoryKey);
      const entry = state === undefined || state === stateOf(row) ? entryAt(database, row.position) : undefined;
      if (entry === undefined) return [];
      return {
        ...{ eventId: idOf(entry), type: entry.type, memoryId: entry.memoryId, state: stateOf(row) },
        ...{
          attempts: row.attempts,
          error: row.error,
          failedAt: row.failedAt === null ? null : new Date(row.failedAt),
        },
        nextTry: sink.isStopped || row.isParked || isWaiting ? null : new Date(timeOf(sink, row, now)),
      };
    });
  });
}

/** Returns the time of the next try, not before now. */
function timeOf(sink: Sink, row: DeliveryRow, now: number): number {
  return Math.max(now, storedTime(sink.nextTry, now), storedTime(row.nextTry, now));
}

function stateOf({ isParked }: DeliveryRow): State {
  return isParked ? 'parked' : 'retrying';
}
