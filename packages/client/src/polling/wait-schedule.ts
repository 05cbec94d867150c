import type { RequestOptions } from '../client-options.ts';
import {
  checkDuration,
  checkFactor,
  checkFunction,
  checkInterval,
  checkNames,
  refuseOption,
} from '../configuration/option-checks.ts';
import type { Runtime } from '../transport/runtime.ts';
import type { WaitOptions } from './wait-options.ts';

/** When to look again, and when to give up. */
export interface WaitSchedule {
  readonly maxWait: number | false;
  /** Milliseconds of the wait so far. */
  elapsed(): number;
  /** Stops the clock of the wait until the function that it returns is called. */
  pause(): () => void;
  /** What one look may take: one attempt, cut at the end of the wait. */
  requestOptions(signal: AbortSignal | undefined): RequestOptions;
  /** Milliseconds until the next look, at least as many as a server asked for; null where none fits any more. */
  nextDelay(retryAfter: number): number | null;
}

/** @throws {ConfigurationError} for options that make no sense. */
export function createWaitSchedule(options: WaitOptions, runtime: Runtime): WaitSchedule {
  const {
    maxWait = 900_000,
    maxInterval = 30_000,
    firstInterval = Math.min(1_000, maxInterval),
    backoffFactor = 1.5,
    onPoll,
    ...lookOptions
  } = options;
  checkNames(options, ['maxWait', 'maxInterval', 'firstInterval', 'backoffFactor', 'onPoll']);
  checkFunction('onPoll', onPoll);
  checkDuration('maxWait', maxWait);
  checkInterval('maxInterval', maxInterval);
  checkInterval('firstInterval', firstInterval);
  checkFactor('backoffFactor', backoffFactor);
  if (firstInterval > maxInterval) {
    throw refuseOption('firstInterval', firstInterval, `Pass no more than maxInterval, ${maxInterval}.`);
  }

  let startedAt = runtime.uptime();
  let longest = firstInterval;
  const elapsed = () => runtime.uptime() - startedAt;
  const remaining = () => (maxWait === false ? Number.POSITIVE_INFINITY : maxWait - elapsed());
  // Time for a last look before the end, so that what ends late in the wait is not missed.
  const lastLook = Math.min(firstInterval, Number(maxWait) / 10);
  return {
    maxWait,
    elapsed,
    pause() {
      const pausedAt = runtime.uptime();
      return () => {
        startedAt += runtime.uptime() - pausedAt;
      };
    },
    requestOptions: (signal) => ({
      ...lookOptions,
      signal,
      retries: 0,
      totalTimeout: maxWait !== false && Math.max(1, remaining()),
    }),
    nextDelay(retryAfter) {
      const delay = Math.max(retryAfter, longest * (1 - runtime.random() / 2));
      longest = Math.min(maxInterval, longest * backoffFactor);
      const latest = remaining() - lastLook;
      return latest <= 0 || latest < retryAfter ? null : Math.min(delay, latest);
    },
  };
}
