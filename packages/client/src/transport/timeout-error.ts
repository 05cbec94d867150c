import type { CallSettings } from '../configuration/client-settings.ts';
import { RequestTimeoutError, type TimeoutLimit } from '../errors/errors.ts';
import { type Call, type ErrorHead, errorContext, failureMessage, remainingTime } from './call.ts';

/** A timeout that has expired. */
export interface ExpiredTimeout {
  readonly limit: TimeoutLimit;
  /** The value of the option. */
  readonly timeoutMs: number;
  /** Whether the time passed before the apiKey function returned a key. */
  readonly isKeyPending?: boolean | undefined;
}

/** Returns the shorter of both timeouts, of which the total one began earlier. */
export function timeLimit(
  { timeout, totalTimeout }: Pick<CallSettings, 'timeout' | 'totalTimeout'>,
  remaining: number,
): ExpiredTimeout & { readonly milliseconds: number | false } {
  const left = Math.max(0, remaining);
  return totalTimeout !== false && (timeout === false || left < timeout)
    ? { limit: 'total', milliseconds: left, timeoutMs: totalTimeout }
    : { limit: 'attempt', milliseconds: timeout, timeoutMs: timeout || 0 };
}

/** Returns the problem and the remedy of a message. */
export function describeTimeout({ limit, timeoutMs }: ExpiredTimeout, missing: string): [string, string] {
  const option = limit === 'total' ? 'totalTimeout' : 'timeout';
  return [`${missing} within ${Math.ceil(timeoutMs)} ms`, `Raise ${option} if that is too short.`];
}

export const missingKey = 'the apiKey function returned no key';

export function timeoutError(call: Call, expired: ExpiredTimeout, head?: ErrorHead): RequestTimeoutError {
  const { limit, timeoutMs, isKeyPending } = expired;
  const missing = isKeyPending ? missingKey : 'the response was not complete';
  return new RequestTimeoutError(failureMessage(call, ...describeTimeout(expired, missing)), {
    ...errorContext(call, head),
    limit,
    timeoutMs,
    cause: call.lastFailure,
  });
}

/** Throws once the total timeout has passed: no timer can interrupt parsing and validation, and timers can fire late. */
export function throwIfTimedOut(call: Call, head?: ErrorHead): void {
  const { totalTimeout } = call.settings;
  if (totalTimeout === false || remainingTime(call) > 0) return;
  throw timeoutError(call, { limit: 'total', timeoutMs: totalTimeout }, head);
}
