import { MAXIMUM_DURATION } from '../configuration/option-checks.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';
import { type Call, remainingTime } from './call.ts';
import type { Runtime } from './runtime.ts';
import { isCertificateFault, lacksPermission } from './safe-cause.ts';

const FIRST_BACKOFF = 300;
const LONGEST_BACKOFF = 8_000;
const retryableServerStatuses = new Set([500, 502, 503, 504]);

/** Whether the same request may succeed a moment later. */
export function isRetryable(error: AnyMemoryApiError): boolean {
  switch (error.code) {
    case 'rate_limited':
      return true;
    case 'server':
      return retryableServerStatuses.has(error.status);
    case 'unexpected_response':
      return error.status === 408;
    case 'invalid_response':
      return error.reason === 'not_json';
    case 'connection':
      return !isCertificateFault(error.cause) && !lacksPermission(error.cause);
    case 'timeout':
      return error.limit === 'attempt';
    default:
      return false;
  }
}

/**
 * Returns the milliseconds to wait before the next attempt; undefined if no attempt follows.
 *
 * `Retry-After` is obeyed. Without it, full jitter spreads callers that failed at the same time.
 */
export function retryDelay(error: AnyMemoryApiError, call: Call): number | undefined {
  const remaining = remainingTime(call);
  if (call.attempt > call.settings.retries || remaining <= 0 || !isRetryable(error)) return undefined;
  const retryAfter = 'retryAfterMs' in error ? error.retryAfterMs : undefined;
  if (retryAfter !== undefined) return retryAfter < Math.min(remaining, MAXIMUM_DURATION) ? retryAfter : undefined;
  return backoff(call.runtime, call.attempt, remaining);
}

/** Returns a delay with full jitter: random milliseconds below 300, doubled with each attempt up to 8,000. */
export function backoff(runtime: Runtime, attempt: number, limit = LONGEST_BACKOFF): number {
  return runtime.random() * Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** (attempt - 1), limit);
}
