import { nameErrors } from './memory-api-error.ts';
import { StatusError } from './status-error.ts';

/** Thrown when the server still responds with 5xx after the retries. See section 7.2 of the specification. */
export class ServerError extends StatusError {
  static {
    nameErrors(this, 'ServerError');
  }

  readonly code = 'server';
}
