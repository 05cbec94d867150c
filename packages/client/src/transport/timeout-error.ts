import { RequestTimeoutError, type TimeoutLimit } from '../errors/request-timeout-error.ts';
import { type Call, type ErrorHead, errorContext, failureMessage, remainingTime } from './call.ts';

/** A timeout that has expired. */
export interface ExpiredTimeout {
  readonly limit: TimeoutLimit;
  /** The value of the option. */
  readonly timeoutMs: number;
  /** Whether the time passed before the apiKey function returned a key. */
  readonly isKeyPending?: boolean | undefined;
}

export function timeoutError(call: Call, expired: ExpiredTimeout, head?: ErrorHead): RequestTimeoutError {
  const { limit, timeoutMs, isKeyPending } = expired;
  const missing = isKeyPending ? 'the apiKey function returned no key' : 'the response was not complete';
  const option = limit === 'total' ? 'totalTimeout' : 'timeout';
  return new RequestTimeoutError(
    failureMessage(call, `${missing} within ${timeoutMs} ms`, `Raise ${option} if that is too short.`),
    { ...errorContext(call, head), limit, timeoutMs, cause: call.lastFailure },
  );
}

/** Throws once the total timeout has passed: no timer can interrupt parsing and validation, and timers can fire late. */
export function throwIfTimedOut(call: Call, head?: ErrorHead): void {
  const { totalTimeout } = call.settings;
  if (totalTimeout === false || remainingTime(call) > 0) return;
  throw timeoutError(call, { limit: 'total', timeoutMs: totalTimeout }, head);
}
