import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { inSnapshot } from '../database/in-snapshot.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { DeliveryReport, SendEvent } from './delivery-types.ts';
import { readEvent } from './event-body.ts';
import { entryAt, newestPosition } from './event-log.ts';
import { pendingOf } from './list-sinks.ts';
import { nextEvent } from './next-event.ts';
import type { DeliverSettings } from './read-deliver-options.ts';
import { addSink, deleteRow, findSink, type Sink } from './sink-rows.ts';
import { storeResult } from './store-result.ts';
import { tryEvent } from './try-event.ts';

/** A sink, and the function that delivers to it. */
interface Receiver {
  sinkName: string;
  send: SendEvent;
}

/** Delivers what is due of a sink, one event at a time. A new sink is added first. */
export async function deliverEvents(
  database: MirrorDatabase,
  { sinkName, send }: Receiver,
  settings: DeliverSettings & { now(): number },
): Promise<DeliveryReport> {
  const { signal, limit, now, onDelivery } = settings;
  const { types } = settings.event;
  const counts = { delivered: 0, failed: 0, parked: 0 };
  signal?.throwIfAborted();
  if (findSink(database, sinkName) === undefined) {
    addSink(database, sinkName, settings.from === 'now' ? newestPosition(database) : 0);
  }
  for (let tries = 0; tries < limit; tries += 1) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    const sink = findSink(database, sinkName) as Sink;
    const next = await nextEvent(database, sink, { now: now(), types });
    if (next === undefined) break;
    const found = inSnapshot(database, () => {
      const entry = entryAt(database, next.position);
      return entry && { entry, content: readEvent(database, entry, settings.event) };
    });
    if (found === undefined) {
      // Another process has purged the memory, or a repair has lost the event.
      deleteRow(database, sink, next.position);
      continue;
    }
    // The log can take some time to read.
    signal?.throwIfAborted();
    const { entry, content } = found;
    const attempt = next.attempts + 1;
    const failure = await tryEvent(send, content, { attempt, signal });
    const result = storeResult(database, { sinkName, entry, failure, now: now() }, settings);
    if (result.type === 'delivered') counts.delivered += 1;
    else counts.failed += 1;
    if (result.type === 'parked') counts.parked += 1;
    onDelivery({ ...result, event: content.event, attempt });
  }
  signal?.throwIfAborted();
  return { ...counts, ...pendingOf(database, findSink(database, sinkName) as Sink, { now: now(), types }) };
}
