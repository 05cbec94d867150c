import type { RequestOptions } from '../client-options.ts';
import { pollTable } from '../configuration/call-options.ts';
import type { OptionTable } from '../configuration/check-options.ts';
import { callback, duration, factor, interval } from '../configuration/option-kinds.ts';
import { refuseOption } from '../configuration/refuse-option.ts';
import { LONGEST_POLL_PAUSE, pauseFor } from '../policy/failure-policy.ts';
import { runtime } from '../transport/deadline.ts';
import type { WaitOptions } from './wait-options.ts';

/** Decides when a wait polls again, and when it times out. */
export interface WaitSchedule {
  readonly maxWait: number | false;
  /** Longest `Retry-After` that the wait obeys, in milliseconds. */
  readonly maxRetryAfter: number;
  /** Milliseconds since the wait began. */
  elapsed(): number;
  /** Leaves out the time since then, which the caller used. `pausedAt` is an uptime of the runtime. */
  resume(pausedAt: number): void;
  /** Options of one poll: a single attempt, which ends with the wait. */
  requestOptions(signal: AbortSignal | undefined): RequestOptions;
  /**
   * Returns the milliseconds until the next poll, at least as many as the server requests; null if no time is left for
   * a poll.
   */
  nextDelay(retryAfter: number): number | null;
}

/** The action of a wait in messages. */
export const waitAction = 'wait for memories';

/** The options of a wait. */
export const waitTable: OptionTable = {
  ...pollTable,
  maxWait: duration,
  firstInterval: interval,
  maxInterval: interval,
  backoffFactor: factor,
  onPoll: callback,
};

/** Returns the schedule of a new wait. */
export function createWaitSchedule(options: WaitOptions, clientMaximum: number | undefined): WaitSchedule {
  const {
    maxWait = 900_000,
    maxInterval = 30_000,
    firstInterval = Math.min(1_000, maxInterval),
    backoffFactor = 1.5,
    onPoll,
    ...requestOptions
  } = options;
  if (firstInterval > maxInterval) {
    throw refuseOption(
      waitAction,
      `firstInterval (${firstInterval} ms) is longer than maxInterval (${maxInterval} ms)`,
      'Shorten firstInterval, or raise maxInterval.',
      'firstInterval',
    );
  }

  let startedAt = runtime.uptime();
  let maximumDelay = firstInterval;
  const elapsed = () => runtime.uptime() - startedAt;
  const remaining = () => (maxWait === false ? Number.POSITIVE_INFINITY : maxWait - elapsed());
  // Time for a last poll before the end, so that a memory that is processed late is not missed.
  const lastPoll = Math.min(firstInterval, Number(maxWait) / 10);
  return {
    maxWait,
    maxRetryAfter: options.maxRetryAfter ?? clientMaximum ?? LONGEST_POLL_PAUSE,
    elapsed,
    resume(pausedAt) {
      startedAt += runtime.uptime() - pausedAt;
    },
    requestOptions: (signal) => ({
      ...requestOptions,
      signal,
      retries: 0,
      totalTimeout: maxWait !== false && Math.max(1, remaining()),
    }),
    nextDelay(retryAfter) {
      const delay = pauseFor(maximumDelay * (1 - runtime.random() / 2), retryAfter, runtime.random);
      maximumDelay = Math.min(maxInterval, maximumDelay * backoffFactor);
      const latest = remaining() - lastPoll;
      return latest <= 0 || latest < retryAfter ? null : Math.min(delay, latest);
    },
  };
}
