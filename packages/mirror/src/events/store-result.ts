import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { afterAccepted, afterFailure, type Failure, type RetrySettings } from './delivery-rules.ts';
import type { DeliveryProgress } from './delivery-types.ts';
import type { LogEntry } from './event-log.ts';
import { makeDue } from './next-row.ts';
import { deleteRow, findRow, findSink, othersFail, type Sink, untriedRow, writeRow, writeSink } from './sink-rows.ts';

/** A try that has ended. */
interface EndedTry {
  sinkName: string;
  entry: LogEntry;
  /** Undefined if the receiver accepted the event. */
  failure: Failure | undefined;
  now: number;
}

type Result = Pick<DeliveryProgress, 'type' | 'error' | 'retryAt'>;

/** Stores the result of a try in one transaction. */
export function storeResult(database: MirrorDatabase, ended: EndedTry, settings: RetrySettings): Result {
  return inTransaction(database, () => {
    const { sinkName, entry } = ended;
    // Another call can have resumed the sink during the try.
    const sink = findSink(database, sinkName) as Sink;
    const taken = { ...sink, position: Math.max(sink.position, entry.position) };
    return ended.failure === undefined
      ? storeAccepted(database, taken, ended)
      : storeFailure(database, taken, { ...ended, failure: ended.failure }, settings);
  });
}

function storeAccepted(database: MirrorDatabase, sink: Sink, { entry, now }: EndedTry): Result {
  writeSink(database, afterAccepted(sink, now));
  deleteRow(database, sink, entry.position);
  makeDue(database, sink, 'failed with the sink');
  return { type: 'delivered' };
}

function storeFailure(
  database: MirrorDatabase,
  sink: Sink,
  { entry, failure, now }: EndedTry & { failure: Failure },
  settings: RetrySettings,
): Result {
  const row = findRow(database, sink, entry.position) ?? untriedRow(entry);
  const after = afterFailure(
    { sink, row, othersFail: othersFail(database, sink, entry.position), now },
    failure,
    settings,
  );
  writeSink(database, after.sink);
  writeRow(database, sink, after.row);
  if (after.sink.isStopped) return { type: 'stopped', error: failure.error };
  if (after.row.isParked) return { type: 'parked', error: failure.error };
  const retryAt = new Date(Math.max(after.sink.nextTry, after.row.nextTry));
  return { type: 'retrying', error: failure.error, retryAt };
}
