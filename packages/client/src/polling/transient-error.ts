import { type AnyMemoryApiError, isMemoryApiError } from '../errors/is-memory-api-error.ts';
import { isRetryable } from '../transport/retry-policy.ts';

/** Milliseconds: whoever asks for more is asked again after an hour. */
const LONGEST_PAUSE = 3_600_000;

/** A failure to look that is no reason to look no more. */
export interface Setback {
  readonly error: AnyMemoryApiError;
  /** Milliseconds that the server asks to wait, at most an hour; or 0. */
  readonly retryAfter: number;
}

/** What the retries of a call would repeat, and what was cut at the end of a wait, is a setback; nothing else is. */
export function tolerate(error: unknown): Setback | undefined {
  if (!isMemoryApiError(error) || !(isRetryable(error) || isCut(error))) return undefined;
  const retryAfter = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  return { error, retryAfter: Math.min(retryAfter ?? 0, LONGEST_PAUSE) };
}

/** Whether a look was cut at the end of the wait. */
export function isCut(error: AnyMemoryApiError): boolean {
  return error.code === 'timeout' && error.limit === 'total';
}
