/** The request that failed. */
export interface RequestSummary {
  /** HTTP method. */
  readonly method: string;
  /** URL without its query. */
  readonly url: string;
  /** Number of attempts so far, including the failed one. */
  readonly attempts: number;
}

/** Fields that every error can have besides its message. */
export interface ErrorContext {
  readonly request?: RequestSummary | undefined;
  readonly requestId?: string | undefined;
  readonly responseHeaders?: Readonly<Record<string, string>> | undefined;
  readonly cause?: unknown;
}

// The symbol is global, so that a second copy of this package and other realms find the same one.
const brand = Symbol.for('@memory-read/client/MemoryApiError');

/**
 * Base class of all errors of this package. Use `code` to distinguish them.
 *
 * No error holds the API key, the query of a signed URL, or a `Request`.
 *
 * @example
 * ```ts
 * function explain(error: unknown): string {
 *   if (!isMemoryApiError(error)) throw error;
 *   if (error.code === 'processing_timeout' && error.cause) return explain(error.cause);
 *   console.error(error.message); // for your log
 *   switch (error.code) {
 *     case 'authentication':
 *       return `The key is not accepted (${error.reason}).`;
 *     case 'not_found':
 *       return 'This memory does not exist.';
 *     case 'processing_timeout':
 *       return error.memory ? 'The memory is still processing.' : 'The memories cannot be read. Try again later.';
 *     case 'rate_limited':
 *     case 'server':
 *       return `Try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} seconds.`;
 *     default:
 *       return `The memories cannot be read. ${isTransient(error) ? 'Try again later' : 'Contact the support'}.`;
 *   }
 * }
 * ```
 */
export abstract class MemoryApiError<Init extends ErrorContext = ErrorContext> extends Error {
  static {
    nameErrors(this, 'MemoryApiError');
  }

  /** Stable name of the error. A minor version can add names, so keep a `default` branch. */
  abstract readonly code: string;
  /** Request that failed; absent if none was sent. */
  declare readonly request?: RequestSummary | undefined;
  /** `X-Request-Id` of the response, to quote in a support request. */
  declare readonly requestId?: string | undefined;
  /**
   * Headers of the response, by their names in lower case; absent without a response. Headers with secrets are left out,
   * and so are keys and queries of URLs. Neither a log of the error nor its JSON shows them. The name differs from
   * `headers`, because web frameworks copy the `headers` of an error into the response of the app.
   */
  declare readonly responseHeaders?: Readonly<Record<string, string>> | undefined;

  /** Assigns the fields of `init`, which each class declares. */
  constructor(message: string, init?: Init) {
    const { cause, responseHeaders, ...fields }: ErrorContext = init ?? {};
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
    // Loggers copy enumerable properties.
    if (responseHeaders) Object.defineProperty(this, 'responseHeaders', { value: responseHeaders });
  }

  /** Returns what a log needs: name, code, message, the fields of the error, and its cause. */
  toJSON(): Record<string, unknown> {
    const pick = ({ name, code, message }: Partial<MemoryApiError>): object => ({ name, code, message });
    return { ...pick(this), ...(this as object), cause: this.cause && pick(this.cause) };
  }

  /** @internal */
  get [brand](): true {
    return true;
  }
}

/**
 * @internal Gives the errors of a class their `name`, even in minified code.
 *
 * It is set on the prototype, like the name of any Error, so that stack traces begin with it. Call it with `this`,
 * because bundlers rename a class that refers to itself.
 */
export function nameErrors(errorClass: { readonly prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, writable: true, configurable: true });
}

/** @internal */
export function hasErrorBrand(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true;
}
