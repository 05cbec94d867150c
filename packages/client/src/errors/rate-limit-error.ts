import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** Thrown when the server still responds with 429 after the retries, or `Retry-After` exceeds the total timeout. */
export class RateLimitError extends StatusError<StatusErrorInit & { readonly retryAfterMs: number | undefined }> {
  static {
    nameErrors(this, 'RateLimitError');
  }

  readonly code = 'rate_limited';
  /** Pause that the server requested, in milliseconds; undefined if it requested none. */
  declare readonly retryAfterMs: number | undefined;
}
