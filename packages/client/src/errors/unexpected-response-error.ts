import { nameErrors } from './memory-api-error.ts';
import { StatusError } from './status-error.ts';

/**
 * Thrown when the server responds with a status that the API does not specify.
 *
 * Examples are a redirect, which is never followed, a 403, and a 404 without the specified body. For redirects, 404 and
 * 405, check the base URL first.
 */
export class UnexpectedResponseError extends StatusError {
  static {
    nameErrors(this, 'UnexpectedResponseError');
  }

  readonly code = 'unexpected_response';
}
