import type {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  MediaDownloadError,
  MediaPlaybackError,
  MediaUnavailableError,
  MemoryNotFoundError,
  ProcessingTimeoutError,
  RateLimitError,
  RequestTimeoutError,
  ServerError,
  UnexpectedResponseError,
} from './errors.ts';

/** @internal The symbol is global, so that a second copy of this package and other realms find the same one. */
export const brand: unique symbol = Symbol.for('@memory-read/client/MemoryApiError');

/** Every error of this package. A `switch` over `code` narrows it to one class. */
export type AnyMemoryApiError =
  | ConfigurationError
  | AuthenticationError
  | MemoryNotFoundError
  | InvalidRequestError
  | RateLimitError
  | ServerError
  | UnexpectedResponseError
  | InvalidResponseError
  | ConnectionError
  | RequestTimeoutError
  | ProcessingTimeoutError
  | MediaUnavailableError
  | MediaDownloadError
  | MediaPlaybackError;

/** The name of the class of each code. */
const classNames: Record<AnyMemoryApiError['code'], string> = {
  configuration: 'ConfigurationError',
  authentication: 'AuthenticationError',
  not_found: 'MemoryNotFoundError',
  invalid_request: 'InvalidRequestError',
  rate_limited: 'RateLimitError',
  server: 'ServerError',
  unexpected_response: 'UnexpectedResponseError',
  invalid_response: 'InvalidResponseError',
  connection: 'ConnectionError',
  timeout: 'RequestTimeoutError',
  processing_timeout: 'ProcessingTimeoutError',
  media_unavailable: 'MediaUnavailableError',
  media_download: 'MediaDownloadError',
  media_playback: 'MediaPlaybackError',
};

/**
 * Returns whether a value is an error of this package. Unlike `instanceof`, it also works across threads, realms and
 * copies of the package.
 *
 * It accepts what `toJSON()` returns, also after `JSON.parse` or `postMessage`. Such a record has all fields that decide,
 * but neither `stack` nor methods.
 *
 * If you post the error itself, V8 keeps only its message, stack and causes. This function then restores `code` and
 * `name` from the stack; all other fields are lost. Other engines lose the code too, so post `error.toJSON()`.
 *
 * @example
 * ```ts
 * const found = await client.getMemory('mem_0').catch((error: unknown) => {
 *   if (isMemoryApiError(error) && error.code === 'not_found') return undefined;
 *   throw error;
 * });
 * ```
 */
export function isMemoryApiError(value: unknown): value is AnyMemoryApiError {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const error = value as AnyMemoryApiError & { readonly [brand]?: unknown };
    if (error[brand] === true) return true;
    const { name, code, message } = error;
    if (typeof message !== 'string') return false;
    return code === undefined ? restoreCode(error) : classNames[code] === name;
  } catch {
    // Getters and proxies may throw anything.
    return false;
  }
}

/** Restores what V8 loses when it clones an error. The first line of the stack still names the class. */
function restoreCode(error: Error): boolean {
  const className = /^\w+/.exec(`${error.stack}`)?.[0];
  const code = Object.entries(classNames).find(([, name]) => name === className)?.[0];
  // A class of another package can have the same name. A clone has no class.
  if (code === undefined || error.constructor.name !== 'Error') return false;
  Object.defineProperty(error, 'name', { value: className, writable: true, configurable: true });
  Object.assign(error, { code });
  return true;
}
