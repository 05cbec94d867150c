import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { inSnapshot } from '../database/in-snapshot.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { DeliveryReport, SendEvent } from './delivery-types.ts';
import { readEvent } from './event-body.ts';
import { entryAt, newestPosition } from './event-log.ts';
import { pendingOf } from './list-sinks.ts';
import { nextEvent } from './next-event.ts';
import type { DeliverSettings } from './read-deliver-options.ts';
import { addSink, findSink, type Sink } from './sink-rows.ts';
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
  if (findSink(database, sinkName) === undefined) addNewSink(database, sinkName, settings.from);
  for (let tries = 0; tries < limit; tries += 1) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    const next = await nextEvent(database, sinkName, { now: now(), types });
    if (next === undefined) break;
    const { entry, row } = next;
    const attempt = (row?.attempts ?? 0) + 1;
    const content = inSnapshot(database, () => {
      const isThere = entryAt(database, entry.position) !== undefined;
      return isThere ? readEvent(database, entry, settings.event) : undefined;
    });
    // Another process has purged the memory since the event was found.
    if (content === undefined) continue;
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

function addNewSink(database: MirrorDatabase, name: string, from: 'start' | 'now'): void {
  inTransaction(database, () => addSink(database, name, from === 'now' ? newestPosition(database) : 0));
}
