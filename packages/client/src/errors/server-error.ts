import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** 5xx: the server could not complete the request, also after the retries. See section 7.2 of the specification. */
export class ServerError extends StatusError<StatusErrorInit & { readonly retryAfterMs: number | undefined }> {
  static {
    nameErrors(this, 'ServerError');
  }

  readonly code = 'server';
  /** Milliseconds that the server asked to wait, where it did. */
  declare readonly retryAfterMs: number | undefined;
}
