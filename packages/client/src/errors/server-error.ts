import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** Thrown when the server still responds with 5xx after the retries. See section 7.2 of the specification. */
export class ServerError extends StatusError<StatusErrorInit & { readonly retryAfterMs: number | undefined }> {
  static {
    nameErrors(this, 'ServerError');
  }

  readonly code = 'server';
  /** Pause that the server requested, in milliseconds; undefined if it requested none. */
  declare readonly retryAfterMs: number | undefined;
}
