import { type AnyMemoryApiError, isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { isRetryable } from '../transport/retry-policy.ts';

/** Maximum pause in milliseconds, even if a server requests more. */
const MAXIMUM_PAUSE = 3_600_000;

/** An error after which polling continues. */
export interface TransientError {
  readonly error: AnyMemoryApiError;
  /** Pause that the server requests, in milliseconds, at most an hour; 0 if it requests none. */
  readonly retryAfter: number;
}

/** Returns the error as a transient one; undefined if a call would not retry it and no wait cut it short. */
export function toTransientError(error: unknown): TransientError | undefined {
  if (!isMemoryApiError(error) || !(isRetryable(error) || isTotalTimeout(error))) return undefined;
  const retryAfter = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  return { error, retryAfter: Math.min(retryAfter ?? 0, MAXIMUM_PAUSE) };
}

/** Whether the request was cut short at the end of the wait. */
export function isTotalTimeout(error: AnyMemoryApiError): boolean {
  return error.code === 'timeout' && error.limit === 'total';
}
