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
import { isErrorOfPackage } from './recognize-error.ts';

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
  return isErrorOfPackage(value);
}
