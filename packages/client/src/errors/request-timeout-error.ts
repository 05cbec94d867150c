import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** Which timeout ran out: that of one attempt, or that of the whole call. */
export type TimeoutLimit = 'attempt' | 'total';

/** The last attempt, or the whole call, took too long. Its `cause` is the last failure that was no timeout, if any. */
export class RequestTimeoutError extends MemoryApiError {
  static {
    nameErrors(RequestTimeoutError, 'RequestTimeoutError');
  }

  readonly code = 'timeout';
  /** Which timeout ran out. */
  readonly limit: TimeoutLimit;
  /** Its length in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, init: ErrorContext & { readonly limit: TimeoutLimit; readonly timeoutMs: number }) {
    super(message, init);
    this.limit = init.limit;
    this.timeoutMs = init.timeoutMs;
  }
}
