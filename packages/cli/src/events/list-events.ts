import type { Delivery, MemoryEvent, Mirror } from '@memory-read/mirror';
import { readMirror } from '../mirror/with-mirror.ts';
import type { MirrorOption } from '../options/mirror-option.ts';
import { usageError } from '../terminal/command-error.ts';
import { formatDateTime } from '../terminal/format-date-time.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';
import { type EventFlags, toEventOptions } from './event-options.ts';

export interface ListRun extends MirrorOption, OutputOptions, EventFlags {
  after?: string | undefined;
  limit?: number | undefined;
  sink?: string | undefined;
  state?: Delivery['state'] | undefined;
}

/** Prints the events of a mirror, or those that a sink has set aside, oldest first. */
export async function listEvents(options: ListRun): Promise<void> {
  const { sink, state } = options;
  if (sink === undefined && state !== undefined) {
    throw usageError('--state: it needs a sink. Pass --sink with its name, or leave out --state.');
  }
  const signal = abortOnInterruption(options.process);
  if (sink === undefined) return readMirror(options, (mirror) => printEvents(mirror, options, signal));
  const deliveries = await readMirror(options, (mirror) => mirror.listDeliveries(sink, { state }));
  for (const delivery of deliveries) {
    if (!(await printResult({ json: delivery, text: toDeliveryText(delivery) }, options, signal))) return;
  }
  if (deliveries.length === 0) note(`No event of the sink ${sink} is ${state ?? 'set aside'}.`, options);
}

/** Events of a page. One event can have a transcript of a day, and all are in memory. */
const pageSize = 100;

async function printEvents(mirror: Mirror, options: ListRun, signal: AbortSignal): Promise<void> {
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let { after } = options;
  while (left > 0) {
    signal.throwIfAborted();
    const { events, cursor } = await mirror.events({
      ...toEventOptions(options),
      after,
      limit: Math.min(left, pageSize),
    });
    for (const event of events) {
      if (!(await printResult({ json: event, text: toText(event) }, options, signal))) return;
    }
    // At the end of the log, the cursor does not move.
    if (cursor === null || cursor === after) return;
    after = cursor;
    left -= events.length;
  }
}

function toText({ id, type, timestamp, data }: MemoryEvent): string {
  const changes = data.fields.length === 0 ? '' : ` (${data.fields.join(', ')})`;
  const name = data.memory === undefined ? '' : `  ${data.memory.name}`;
  return `${formatDateTime(timestamp)}  ${id}  ${shortType(type)}${changes}  ${data.memory_id}${name}`;
}

function shortType(type: MemoryEvent['type']): string {
  return type.slice('memory.'.length);
}

function toDeliveryText({ eventId, type, memoryId, state, attempts, nextTry, error }: Delivery): string {
  const reason = error === null ? '' : `  ${error}.`;
  const next = nextTry === null ? '' : ` Next try at ${formatDateTime(nextTry.toISOString())}.`;
  return `${eventId}  ${shortType(type)}  ${memoryId}  ${state}, ${quantity(attempts, 'try', 'tries')}${reason}${next}`;
}
