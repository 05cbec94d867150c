import type { MediaKind, Memory } from '@memory-read/contract';
import type { ResponseIssue } from '../validation/response-issue.ts';
import { brand, classNames, isErrorOfPackage } from './recognize-error.ts';

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
  /** @internal The name of a class depends on it. Bundlers drop an unused class only if it runs no code. */
  static readonly code: string = '';

  static {
    // The name stands on the prototype, like that of any Error, so that stack traces begin with it.
    Object.defineProperty(this.prototype, 'name', {
      configurable: true,
      get(this: MemoryApiError) {
        return classNames[(this.constructor as typeof MemoryApiError).code] ?? 'MemoryApiError';
      },
      set(value: unknown) {
        Object.defineProperty(this, 'name', { value, writable: true, configurable: true });
      },
    });
  }

  /** Stable name of the error. A minor version can add names, so keep a `default` branch. */
  declare readonly code: string;
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
    // Bun logs no name that a getter returns, so the setter makes it a property.
    Object.assign(this, { code: (new.target as unknown as typeof MemoryApiError).code, name: this.name }, fields);
    // Loggers copy enumerable properties.
    if (responseHeaders) Object.defineProperty(this, 'responseHeaders', { value: responseHeaders });
  }

  /**
   * Returns what a log or another thread needs: name, code, message, the fields of the error, and its causes.
   *
   * `isMemoryApiError` and `isTransient` accept it. The memory of a {@link ProcessingTimeoutError} has only `id` and
   * `is_processing`. A cause of another package has only name, code, message, causes and parts.
   */
  toJSON(): Record<string, unknown> {
    return recordOf(this, 0) ?? {};
  }

  /** @internal */
  get [brand](): true {
    return true;
  }
}

const MAXIMUM_DEPTH = 4;

function recordOf(error: unknown, depth: number): Record<string, unknown> | undefined {
  if (typeof error !== 'object' || error === null || depth > MAXIMUM_DEPTH) return undefined;
  const { name, code, message, cause, errors } = error as AggregateError & { readonly code?: unknown };
  const inner = (value: unknown) => recordOf(value, depth + 1);
  const parts = Array.isArray(errors) ? { errors: errors.map(inner) } : {};
  return { name, code, message, ...fieldsOf(error), cause: inner(cause), ...parts };
}

/** The fields of another package's error can hold anything, such as a request with its key. */
function fieldsOf(error: object): object {
  if (!isErrorOfPackage(error)) return {};
  const { memoryId, memory } = error as Partial<ProcessingTimeoutError>;
  return memory === undefined ? error : { ...error, memory: { id: memoryId, is_processing: memory.is_processing } };
}

/** Fields of a {@link ConfigurationError}. */
export interface ConfigurationErrorInit extends ErrorContext {
  readonly option?: string | undefined;
}

/** Thrown before any request when an option, the API key or a memory id is invalid. */
export class ConfigurationError extends MemoryApiError<ConfigurationErrorInit> {
  /** @internal */
  static override readonly code: string = 'configuration';
  declare readonly code: 'configuration';
  /** Name of the invalid option, as you wrote it; absent if no option is invalid. */
  declare readonly option?: string;
}

/** Fields of every error that represents an HTTP status. */
export interface StatusErrorInit extends ErrorContext {
  readonly status: number;
  readonly detail?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** Base class of the errors that represent an HTTP status. */
export abstract class StatusError<Init extends StatusErrorInit = StatusErrorInit> extends MemoryApiError<Init> {
  /**
   * HTTP status. It is 0 below 400, for example for a redirect, because web frameworks would answer your visitors with it. The
   * message has the status then, unless a browser hides it.
   */
  declare readonly status: number;
  /** Message of the server, if its body has one. */
  declare readonly detail: string | undefined;
  /** Pause that the server requested with `Retry-After`, in milliseconds; undefined if it requested none. */
  declare readonly retryAfterMs?: number | undefined;
}

/** Reason for a 401, if the server stated it. */
export type AuthenticationFailure = 'missing_key' | 'invalid_key' | 'unknown';

/**
 * Thrown when the server responds with 401: the API key is missing or invalid. See section 5.4 of the specification.
 */
export class AuthenticationError extends StatusError<StatusErrorInit & { readonly reason: AuthenticationFailure }> {
  /** @internal */
  static override readonly code: string = 'authentication';
  declare readonly code: 'authentication';
  /** Reason, if the server stated it. */
  declare readonly reason: AuthenticationFailure;
}

/**
 * Thrown when the memory does not exist or belongs to another account (404). The API does not say which.
 *
 * See section 4.2.2 of the specification.
 */
export class MemoryNotFoundError extends StatusError<StatusErrorInit & { readonly memoryId: string }> {
  /** @internal */
  static override readonly code: string = 'not_found';
  declare readonly code: 'not_found';
  /** Requested id. Keys and queries of URLs in it are redacted. */
  declare readonly memoryId: string;
}

/** One issue that the server found in a request. */
export interface RequestIssue {
  /** Path to the issue, such as `['path', 'memory_id']`. */
  readonly path: readonly (string | number)[];
  /** Message of the server. */
  readonly message: string;
  /** The server's name for this kind of issue, if any. */
  readonly type?: string | undefined;
}

/**
 * Thrown when the server responds with 422: it rejects the request as malformed. See section 7 of the specification,
 * which leaves the body open.
 */
export class InvalidRequestError extends StatusError<StatusErrorInit & { readonly issues: readonly RequestIssue[] }> {
  /** @internal */
  static override readonly code: string = 'invalid_request';
  declare readonly code: 'invalid_request';
  /** Issues that the server listed; empty if it listed none. */
  declare readonly issues: readonly RequestIssue[];
}

/** Thrown when the server still responds with 429 after the retries, or `Retry-After` exceeds the total timeout. */
export class RateLimitError extends StatusError {
  /** @internal */
  static override readonly code: string = 'rate_limited';
  declare readonly code: 'rate_limited';
}

/** Thrown when the server still responds with 5xx after the retries. See section 7.2 of the specification. */
export class ServerError extends StatusError {
  /** @internal */
  static override readonly code: string = 'server';
  declare readonly code: 'server';
}

/**
 * Thrown when the server responds with a status that the API does not specify.
 *
 * Examples are a redirect, which is never followed, a 403, and a 404 without the specified body. For redirects, 404 and
 * 405, check the base URL first.
 */
export class UnexpectedResponseError extends StatusError {
  /** @internal */
  static override readonly code: string = 'unexpected_response';
  declare readonly code: 'unexpected_response';
}

/** What is wrong with a response: not JSON, JSON that was cut, a violation of the contract, an incomplete body, or more than `maxResponseBytes`. */
export type InvalidResponseReason = 'not_json' | 'cut_json' | 'structure' | 'partial' | 'too_large';

/** Fields of an {@link InvalidResponseError}. */
export interface InvalidResponseErrorInit extends ErrorContext {
  readonly reason: InvalidResponseReason;
  readonly issues?: readonly ResponseIssue[] | undefined;
  readonly truncated?: boolean | undefined;
  readonly memoryIds?: readonly string[] | undefined;
}

/** Thrown when a successful response has an unusable body. An incomplete body is never returned. */
export class InvalidResponseError extends MemoryApiError<InvalidResponseErrorInit> {
  /** @internal */
  static override readonly code: string = 'invalid_response';
  declare readonly code: 'invalid_response';
  /** What is wrong with the response. */
  declare readonly reason: InvalidResponseReason;
  /** Violations of the contract, at most 20. They hold paths, never values. */
  declare readonly issues: readonly ResponseIssue[];
  /** Whether there were more issues. */
  declare readonly truncated: boolean;
  /** Ids of the memories that violate the contract, at most 20, as far as they have one. Secrets in them are redacted. */
  declare readonly memoryIds: readonly string[];

  constructor(message: string, init: InvalidResponseErrorInit) {
    super(message, init);
    this.issues ??= [];
    this.truncated ??= false;
    this.memoryIds ??= [];
  }
}

/**
 * Reason for a failed connection.
 *
 * - `unreachable`: no response arrived.
 * - `cut`: the connection was lost before the body was complete.
 * - `certificate`: the certificate of the server was rejected.
 * - `permission`: the runtime has no permission to use the network.
 * - `proxy`: a proxy refused the connection.
 */
export type ConnectionFailure = 'unreachable' | 'cut' | 'certificate' | 'permission' | 'proxy';

/** Fields of a {@link ConnectionError}. */
export interface ConnectionErrorInit extends ErrorContext {
  readonly reason: ConnectionFailure;
  readonly faultCode?: string | undefined;
  readonly proxyStatus?: number | undefined;
}

/** Thrown when no complete response arrives: the connection failed, or the body was cut. */
export class ConnectionError extends MemoryApiError<ConnectionErrorInit> {
  /** @internal */
  static override readonly code: string = 'connection';
  declare readonly code: 'connection';
  /** Reason for the failure. A minor version can add reasons. */
  declare readonly reason: ConnectionFailure;
  /** Code of the runtime, such as `ECONNREFUSED`, if it has one. */
  declare readonly faultCode?: string;
  /** HTTP status with which a proxy refused the connection, if one did. */
  declare readonly proxyStatus?: number;
}

/** The exceeded timeout: that of one attempt, or that of the whole call. */
export type TimeoutLimit = 'attempt' | 'total';

/**
 * Thrown when the last attempt or the whole call takes too long. Its `cause` is the last error that was not a timeout,
 * if there was one.
 */
export class RequestTimeoutError extends MemoryApiError<
  ErrorContext & { readonly limit: TimeoutLimit; readonly timeoutMs: number }
> {
  /** @internal */
  static override readonly code: string = 'timeout';
  declare readonly code: 'timeout';
  /** The exceeded timeout: `attempt` or `total`. */
  declare readonly limit: TimeoutLimit;
  /** Length of the timeout, in milliseconds. */
  declare readonly timeoutMs: number;
}

/** Fields of a {@link ProcessingTimeoutError}. */
export interface ProcessingTimeoutErrorInit extends ErrorContext {
  readonly memoryId: string;
  readonly maxWait: number;
  readonly memory?: Memory | undefined;
}

/**
 * Thrown when a memory is not processed within `maxWait`. Its `cause` is the error of the last poll, if it failed. A poll
 * that `maxWait` interrupts does not count.
 *
 * It has no `responseHeaders`, because no response led to it. The headers of a failed poll are those of the `cause`. Those of a
 * memory are in `responseInfo(error.memory)`. See section 3 of the specification.
 */
export class ProcessingTimeoutError extends MemoryApiError<Omit<ProcessingTimeoutErrorInit, 'memory'>> {
  /** @internal */
  static override readonly code: string = 'processing_timeout';
  declare readonly code: 'processing_timeout';
  /** Id of the memory. Keys and queries of URLs in it are redacted. */
  declare readonly memoryId: string;
  /** Maximum time to wait, in milliseconds. */
  declare readonly maxWait: number;
  readonly #memory: Memory | undefined;

  constructor(message: string, { memory, ...init }: ProcessingTimeoutErrorInit) {
    super(message, init);
    this.#memory = memory;
    // An inspection that shows getters must hide the signed URLs too. Bundlers cannot remove a class that has a method with
    // a computed name.
    Object.defineProperty(this, Symbol.for('nodejs.util.inspect.custom'), {
      value: (_depth: number, options: object, inspect: (value: unknown, options: object) => string) =>
        inspect(this, { ...options, customInspect: false, getters: false }),
    });
  }

  /**
   * Memory of the last successful poll, if any. If it comes from the list, it has no transcript.
   *
   * It holds signed URLs, so a log of the error does not show it, and its JSON has only `id` and `is_processing`.
   */
  get memory(): Memory | undefined {
    return this.#memory;
  }
}

/** Fields of a {@link MediaUnavailableError}. */
export interface MediaUnavailableErrorInit extends ErrorContext {
  readonly memoryId: string;
  readonly kind: MediaKind;
}

/**
 * Thrown when the memory has no such media: its URL is null. `request` and `responseHeaders` are those of the memory.
 *
 * See section 2.1 of the specification.
 */
export class MediaUnavailableError extends MemoryApiError<MediaUnavailableErrorInit> {
  /** @internal */
  static override readonly code: string = 'media_unavailable';
  declare readonly code: 'media_unavailable';
  /** Id of the memory. Keys and queries of URLs in it are redacted. */
  declare readonly memoryId: string;
  /** Kind of the missing media. */
  declare readonly kind: MediaKind;
}

/**
 * Reason for a failed download.
 *
 * - `refused`: the storage refused the request, or its certificate or a proxy prevents the connection.
 * - `interrupted`: five attempts in a row received no bytes.
 * - `changed`: the object has changed since the download began.
 * - `not_resumable`: the storage cannot prove that the object is still the same.
 * - `invalid`: the response of the storage is invalid.
 * - `too_large`: the object is larger than `maxBytes`.
 * - `forbidden_origin`: the media URL leads to an origin that `mediaOrigins` does not allow. No request was sent to it.
 */
export type MediaDownloadFailure =
  | 'refused'
  | 'interrupted'
  | 'changed'
  | 'not_resumable'
  | 'invalid'
  | 'too_large'
  | 'forbidden_origin';

/** Fields of a {@link MediaDownloadError}. */
export interface MediaDownloadErrorInit extends ErrorContext {
  readonly reason: MediaDownloadFailure;
  readonly bytesReceived: number;
  readonly status?: number | undefined;
  readonly faultCode?: string | undefined;
}

/** Thrown when the media cannot be downloaded completely. All bytes received until then belong to the same object. */
export class MediaDownloadError extends MemoryApiError<MediaDownloadErrorInit> {
  /** @internal */
  static override readonly code: string = 'media_download';
  declare readonly code: 'media_download';
  /** Reason for the failure. A minor version can add reasons. */
  declare readonly reason: MediaDownloadFailure;
  /** Number of bytes received, including those before `start`. Another download can start there. */
  declare readonly bytesReceived: number;
  /** HTTP status of the storage's last response, if it was 400 or more. */
  declare readonly status: number | undefined;
  /** Code of the runtime, such as `ECONNRESET`, if the connection failed with one. */
  declare readonly faultCode?: string;
}

/** Reason why a recording cannot be played. */
export type MediaPlaybackFailure = 'refused' | 'damaged' | 'invalid';

/** Fields of a {@link MediaPlaybackError}. */
export interface MediaPlaybackErrorInit extends ErrorContext {
  readonly reason: MediaPlaybackFailure;
}

/**
 * Describes why a media element cannot play a recording. `keepPlaying` of `@memory-read/client/playback` reports it; no
 * method throws it.
 */
export class MediaPlaybackError extends MemoryApiError<MediaPlaybackErrorInit> {
  /** @internal */
  static override readonly code: string = 'media_playback';
  declare readonly code: 'media_playback';
  /**
   * - `refused`: a fresh URL failed too.
   * - `damaged`: the browser cannot decode the recording.
   * - `invalid`: the URL is neither `http:`, `https:` nor `blob:`.
   */
  declare readonly reason: MediaPlaybackFailure;
}
