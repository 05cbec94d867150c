import { yieldToEventLoop } from '@memory-read/contract/event-loop';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import type { MirrorStorage } from '../database/open-database.ts';
import { storedTime } from './delivery-rules.ts';
import type { DeliveryReport, SendEvent } from './delivery-types.ts';
import { readEvent } from './event-body.ts';
import { countAfter, newestPosition } from './event-log.ts';
import { nextEvent } from './next-event.ts';
import { nextTimeOfRows } from './next-row.ts';
import type { DeliverSettings } from './read-deliver-options.ts';
import { reasonOf } from './sink-error.ts';
import { addSink, countRows, findSink, type Sink } from './sink-rows.ts';
import { storeResult } from './store-result.ts';
import { tryEvent } from './try-event.ts';

/** Delivers what is due of a sink, one event at a time. */
export async function deliverEvents(
  { database, now }: Pick<MirrorStorage, 'database'> & { now(): number },
  { name, send }: { name: string; send: SendEvent },
  settings: DeliverSettings,
): Promise<DeliveryReport> {
  const { signal, limit, onDelivery } = settings;
  const counts = { delivered: 0, failed: 0, parked: 0 };
  openSink(database, name, settings);
  for (let tries = 0; tries < limit; tries += 1) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    const next = await nextEvent(database, name, { now: now(), types: settings.event.types });
    if (next === undefined) break;
    const content = readEvent(database, next.entry, settings.event);
    const attempt = (next.row?.attempts ?? 0) + 1;
    const failure = await tryEvent(send, content, { attempt, signal });
    const result = storeResult(database, { name, entry: next.entry, failure, now: now() }, settings);
    if (failure === undefined) counts.delivered += 1;
    else counts.failed += 1;
    if (result.type === 'parked') counts.parked += 1;
    onDelivery({ ...result, event: content.event, attempt });
  }
  signal?.throwIfAborted();
  return { ...counts, ...stateOf(database, openSink(database, name, settings), { now: now(), settings }) };
}

function openSink(database: MirrorDatabase, name: string, { from }: Pick<DeliverSettings, 'from'>): Sink {
  const known = findSink(database, name);
  if (known !== undefined) return known;
  return inTransaction(database, () => addSink(database, name, from === 'now' ? newestPosition(database) : 0));
}
