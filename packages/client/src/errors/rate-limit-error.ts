import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** 429: too many requests, also after the retries; at once where `Retry-After` lies beyond the total timeout. */
export class RateLimitError extends StatusError<StatusErrorInit & { readonly retryAfterMs: number | undefined }> {
  static {
    nameErrors(this, 'RateLimitError');
  }

  readonly code = 'rate_limited';
  /** Milliseconds that the server asked to wait, where it did. */
  declare readonly retryAfterMs: number | undefined;
}
