import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { storedTime } from './delivery-rules.ts';
import type { SinkState } from './delivery-types.ts';
import { countAfter, entriesAfter, entryAt } from './event-log.ts';
import type { MemoryEventType } from './event-types.ts';
import { nextTimeOfRows } from './next-row.ts';
import { allTypes } from './read-event-options.ts';
import { countRows, findRow, readSinks, type Sink } from './sink-rows.ts';

/** Returns the sinks, by name. */
export function listSinks(database: MirrorDatabase, now: number): SinkState[] {
  return inSnapshot(database, () => readSinks(database).map((sink) => toState(database, sink, now)));
}

function toState(database: MirrorDatabase, sink: Sink, now: number): SinkState {
  const { retrying, parked, oldest } = countRows(database, sink);
  const first = oldest === undefined ? entriesAfter(database, sink.position, 1)[0] : entryAt(database, oldest);
  return {
    sink: sink.name,
    delivered: sink.accepted,
    retrying,
    parked,
    oldestPending: first === undefined ? null : new Date(first.at),
    lastDelivered: sink.acceptedAt === null ? null : new Date(sink.acceptedAt),
    failures: sink.failures,
    error: sink.failures === 0 ? null : lastError(database, sink),
    ...pendingOf(database, sink, { now, types: new Set(allTypes) }),
  };
}

/** Returns what a sink still has to deliver, and when. Only events of these types are taken from the log. */
export function pendingOf(
  database: MirrorDatabase,
  sink: Sink,
  { now, types }: { now: number; types: ReadonlySet<MemoryEventType> },
): Pick<SinkState, 'pending' | 'nextTry' | 'stopped'> {
  const inLog = countAfter(database, sink.position, types);
  const pending = countRows(database, sink).retrying + inLog;
  const stopped = sink.isStopped ? lastError(database, sink) : null;
  if (pending === 0 || sink.isStopped) return { pending, nextTry: null, stopped };
  // What is in the log has no pause of its own.
  const ofRows = inLog > 0 ? undefined : nextTimeOfRows(database, sink, now);
  const nextTry = Math.max(now, storedTime(sink.nextTry, now), ofRows ?? now);
  return { pending, nextTry: new Date(nextTry), stopped };
}

function lastError(database: MirrorDatabase, sink: Sink): string {
  const row = sink.failedPosition === null ? undefined : findRow(database, sink, sink.failedPosition);
  return row?.error ?? 'The reason is not stored any more.';
}
