import { checkOptions, invalidOption, readCallback, readCount, readSignal } from '../options/check-options.ts';
import { DAY, type RetrySettings } from './delivery-rules.ts';
import type { DeliverOptions, Delivery, DeliveryProgress, SendEvent } from './delivery-types.ts';
import { type EventSettings, eventOptions, readEventOptions } from './read-event-options.ts';

/** Options of `deliver` with their defaults. */
export interface DeliverSettings extends RetrySettings {
  event: EventSettings;
  from: 'start' | 'now';
  limit: number;
  onDelivery(progress: DeliveryProgress): void;
  signal: AbortSignal | undefined;
}

const names = [...eventOptions, ...['from', 'maxTries', 'firstRetry', 'longestRetry', 'limit', 'onDelivery', 'signal']];

/** @throws {@link MirrorError} with the code `invalid_option`. */
export function readDeliverOptions(action: string, send: SendEvent, options: DeliverOptions): DeliverSettings {
  checkOptions(action, options, names);
  if (typeof send !== 'function') throw invalidOption(action, 'send is not a function', 'Pass a function');
  const { from = 'start', onDelivery } = options;
  if (from !== 'start' && from !== 'now') {
    throw invalidOption(action, 'from is not supported', "Use 'start' or 'now'");
  }
  const longestRetry = readCount(action, 'longestRetry', options.longestRetry, { min: 1, max: DAY, default: 300_000 });
  const firstRetry = readCount(action, 'firstRetry', options.firstRetry, {
    ...{ min: 1, max: DAY, default: Math.min(1_000, longestRetry) },
  });
  if (firstRetry > longestRetry) {
    throw invalidOption(
      action,
      'firstRetry is longer than longestRetry',
      'Pass a shorter one, or a longer longestRetry',
    );
  }
  return {
    event: readEventOptions(action, options),
    from,
    maxTries: readCount(action, 'maxTries', options.maxTries, { min: 1, max: 1_000, default: 20 }),
    firstRetry,
    longestRetry,
    limit:
      options.limit === undefined
        ? Number.POSITIVE_INFINITY
        : readCount(action, 'limit', options.limit, { min: 1, max: 1_000_000_000, default: 100 }),
    onDelivery: readCallback(action, 'onDelivery', onDelivery),
    signal: readSignal(action, options.signal),
  };
}

/** @throws {@link MirrorError} with the code `invalid_option`. */
export function checkSink(action: string, sink: unknown): asserts sink is string {
  if (typeof sink === 'string' && /^[a-z0-9][a-z0-9_-]{0,63}$/.test(sink)) return;
  throw invalidOption(action, 'sink is not a name of a sink', 'Use 1 to 64 of a-z, 0-9, - and _, such as default');
}

/** Returns the ids of events of a list. */
export function readIds(action: string, eventIds: unknown): ReadonlySet<string> {
  if (Array.isArray(eventIds) && eventIds.every((id) => typeof id === 'string')) return new Set<string>(eventIds);
  throw invalidOption(action, 'eventIds is not an array of strings', 'Pass the ids of events');
}

/** Returns the option `state` of a list of deliveries. */
export function readState(
  action: string,
  options: { state?: Delivery['state'] | undefined },
): Delivery['state'] | undefined {
  checkOptions(action, options, ['state']);
  const { state } = options;
  if (state === undefined || state === 'retrying' || state === 'parked') return state;
  throw invalidOption(action, 'state is not supported', "Use 'retrying' or 'parked'");
}
