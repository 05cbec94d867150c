import { brand } from './brand.ts';
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
