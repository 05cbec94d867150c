import { type ErrorContext, MemoryApiError } from './memory-api-error.ts';

/** Fields of every error that represents an HTTP status. */
export interface StatusErrorInit extends ErrorContext {
  readonly status: number;
  readonly detail?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Base class of the errors that represent an HTTP status. */
export abstract class StatusError<Init extends StatusErrorInit = StatusErrorInit> extends MemoryApiError<Init> {
  /** HTTP status; 0 for a redirect in a browser, which hides it. */
  declare readonly status: number;
  /** Message of the server, if its body has one. */
  declare readonly detail: string | undefined;
  /** Pause that the server requested with `Retry-After`, in milliseconds; undefined if it requested none. */
  declare readonly retryAfterMs?: number | undefined;
}
