import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** Which timeout ran out: that of one attempt, or that of the whole call. */
export type TimeoutLimit = 'attempt' | 'total';

/** The last attempt, or the whole call, took too long. Its `cause` is the last failure that was no timeout, if any. */
export class RequestTimeoutError extends MemoryApiError<
  ErrorContext & { readonly limit: TimeoutLimit; readonly timeoutMs: number }
> {
  static {
    nameErrors(this, 'RequestTimeoutError');
  }

  readonly code = 'timeout';
  /** Which timeout ran out. */
  declare readonly limit: TimeoutLimit;
  /** Its length in milliseconds. */
  declare readonly timeoutMs: number;
}
