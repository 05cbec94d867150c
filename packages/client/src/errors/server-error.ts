import { nameErrors } from './memory-api-error.ts';
import { StatusError, type StatusErrorInit } from './status-error.ts';

/** 5xx: the server could not complete the request, also after the retries. See section 7.2 of the specification. */
export class ServerError extends StatusError {
  static {
    nameErrors(ServerError, 'ServerError');
  }

  readonly code = 'server';
  /** Milliseconds that the server asked to wait, where it did. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, init: StatusErrorInit & { readonly retryAfterMs: number | undefined }) {
    super(message, init);
    this.retryAfterMs = init.retryAfterMs;
  }
}
