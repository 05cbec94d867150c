import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { knownSink } from './change-sinks.ts';
import type { Delivery } from './delivery-types.ts';
import { idOf } from './event-id.ts';
import { entryAt } from './event-log.ts';
import { type DeliveryRow, readRows } from './sink-rows.ts';

type State = Delivery['state'];

/**
 * Returns what a sink has set aside, oldest first.
 *
 * @throws {@link MirrorError} with the code `not_found` if there is no such sink.
 */
export function listDeliveries(
  database: MirrorDatabase,
  { action, sinkName, state }: { action: string; sinkName: string; state: State | undefined },
): Delivery[] {
  return inSnapshot(database, () => {
    const rows = readRows(database, knownSink(database, action, sinkName));
    const waiting = new Set<number>();
    return rows.flatMap((row) => {
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
        nextTry: row.isParked || isWaiting ? null : new Date(row.nextTry),
      };
    });
  });
}

function stateOf({ isParked }: DeliveryRow): State {
  return isParked ? 'parked' : 'retrying';
}
