import { nameErrors } from './memory-api-error.ts';
import { StatusError } from './status-error.ts';

/**
 * A status that the API does not have here: a redirect, which is never followed, a 404 that speaks of no memory, 403
 * and all others. For redirects, 404 and 405, the base URL is the first thing to check.
 */
export class UnexpectedResponseError extends StatusError {
  static {
    nameErrors(this, 'UnexpectedResponseError');
  }

  readonly code = 'unexpected_response';
}
