/** What was asked of the API when an error occurred. */
export interface RequestSummary {
  /** HTTP method. */
  readonly method: string;
  /** Address without its query. */
  readonly url: string;
  /** Attempts made so far, the failed one included. */
  readonly attempts: number;
}

/** What every error may carry besides its message. */
export interface ErrorContext {
  readonly request?: RequestSummary | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

// Registered for the whole process: a second copy of this package and another realm find the same symbol.
const brand = Symbol.for('@memory-read/client/MemoryApiError');

/**
 * The base of every error that this package makes; tell them apart by `code`.
 *
 * No error holds the API key, the query of a signed URL, or a `Request`.
 *
 * @example
 * ```ts
 * function explain(error: unknown): string {
 *   if (!isMemoryApiError(error)) throw error;
 *   switch (error.code) {
 *     case 'authentication':
 *       return `The key is not accepted (${error.reason}).`;
 *     case 'rate_limited':
 *     case 'server':
 *       return `Try again in ${error.retryAfterMs ?? 60_000} ms.`;
 *     default:
 *       return error.message;
 *   }
 * }
 * ```
 */
export abstract class MemoryApiError<Init extends ErrorContext = ErrorContext> extends Error {
  static {
    nameErrors(this, 'MemoryApiError');
  }

  /** Stable name of the kind of error; new ones may come in a minor version, so keep a `default` branch. */
  abstract readonly code: string;
  /** The request that failed; absent where none was made. */
  declare readonly request?: RequestSummary | undefined;
  /** The server's `X-Request-Id`, to quote when asking for support. */
  declare readonly requestId?: string | undefined;

  /** Each class declares the fields that its `init` brings. */
  constructor(message: string, init?: Init) {
    const { cause, ...fields }: ErrorContext = init ?? {};
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
  }

  /** @internal */
  get [brand](): true {
    return true;
  }
}

/**
 * @internal Gives the errors of a class their `name`, also in minified code. It stands on the prototype, as that of any
 * Error does: the stack begins with it, and it can be assigned and overridden. Call it with `this`: bundlers rename a
 * class that names itself.
 */
export function nameErrors(errorClass: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, writable: true, configurable: true });
}

/** @internal */
export function hasErrorBrand(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true;
}
