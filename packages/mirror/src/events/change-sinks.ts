import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { positionOf } from './event-id.ts';
import { entryAt } from './event-log.ts';
import { makeDue } from './next-row.ts';
import { deleteSink, findSink, type Sink, untriedRow, writeRow, writeSink } from './sink-rows.ts';

/** @throws {@link MirrorError} with the code `not_found` if there is no such sink. */
export function knownSink(database: MirrorDatabase, action: string, name: string): Sink {
  const sink = findSink(database, name);
  if (sink !== undefined) return sink;
  const reason = `the mirror has no sink ${JSON.stringify(name)}`;
  throw new MirrorError('not_found', `Failed to ${action}: ${reason}. List the sinks with memory-read events sinks.`);
}

/** Makes events due again that a sink has taken, all or none. Those that are still in the log follow anyway. */
export function replayEvents(
  database: MirrorDatabase,
  { action, sinkName, eventIds }: { action: string; sinkName: string; eventIds: ReadonlySet<string> },
): number {
  return inTransaction(database, () => {
    const sink = knownSink(database, action, sinkName);
    const entries = [...eventIds].map((id) => {
      const position = positionOf(database, id);
      const entry = position === undefined ? undefined : entryAt(database, position);
      if (entry === undefined) throw unknownEvent(action, id);
      return entry;
    });
    const taken = entries.filter(({ position }) => position <= sink.position);
    for (const entry of taken) writeRow(database, sink, untriedRow(entry));
    return taken.length;
  });
}

/** Ends a stop, and makes all due that waits. Returns whether there is such a sink. */
export function resumeSink(database: MirrorDatabase, name: string): boolean {
  return inTransaction(database, () => {
    const sink = findSink(database, name);
    if (sink === undefined) return false;
    writeSink(database, { ...sink, isStopped: false, nextTry: 0 });
    makeDue(database, sink, 'all');
    return true;
  });
}

/** Forgets a sink and what it has set aside. Returns whether there was one. */
export function removeSink(database: MirrorDatabase, name: string): boolean {
  return inTransaction(database, () => {
    const sink = findSink(database, name);
    if (sink !== undefined) deleteSink(database, sink);
    return sink !== undefined;
  });
}

function unknownEvent(action: string, id: string): MirrorError {
  // An id of another kind could be a text of a memory.
  const named = /^evt_\w{1,60}$/.test(id) ? `no event ${id}` : 'no event with one of these ids';
  const advice = 'List the events with memory-read events list';
  return new MirrorError('not_found', `Failed to ${action}: the mirror has ${named}. ${advice}.`);
}
