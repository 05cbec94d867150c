import { nameErrors } from './memory-api-error.ts';
import { StatusError } from './status-error.ts';

/** Thrown when the server still responds with 429 after the retries, or `Retry-After` exceeds the total timeout. */
export class RateLimitError extends StatusError {
  static {
    nameErrors(this, 'RateLimitError');
  }

  readonly code = 'rate_limited';
}
