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

/**
 * Returns whether a caught value is an error of this package. Unlike `instanceof`, it also works across realms and
 * copies of the package.
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
  return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true;
}
