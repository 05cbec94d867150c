import { type ErrorContext, MemoryApiError, nameErrors } from './memory-api-error.ts';

/** The exceeded timeout: that of one attempt, or that of the whole call. */
export type TimeoutLimit = 'attempt' | 'total';

/**
 * Thrown when the last attempt or the whole call takes too long. Its `cause` is the last error that was not a timeout,
 * if there was one.
 */
export class RequestTimeoutError extends MemoryApiError<
  ErrorContext & { readonly limit: TimeoutLimit; readonly timeoutMs: number }
> {
  static {
    nameErrors(this, 'RequestTimeoutError');
  }

  readonly code = 'timeout';
  /** The exceeded timeout: `attempt` or `total`. */
  declare readonly limit: TimeoutLimit;
  /** Length of the timeout, in milliseconds. */
  declare readonly timeoutMs: number;
}
