import type { AuthenticationError } from './authentication-error.ts';
import type { ConfigurationError } from './configuration-error.ts';
import type { ConnectionError } from './connection-error.ts';
import type { InvalidRequestError } from './invalid-request-error.ts';
import type { InvalidResponseError } from './invalid-response-error.ts';
import type { MediaDownloadError } from './media-download-error.ts';
import type { MediaPlaybackError } from './media-playback-error.ts';
import type { MediaUnavailableError } from './media-unavailable-error.ts';
import { hasErrorBrand } from './memory-api-error.ts';
import type { MemoryNotFoundError } from './memory-not-found-error.ts';
import type { ProcessingTimeoutError } from './processing-timeout-error.ts';
import type { RateLimitError } from './rate-limit-error.ts';
import type { RequestTimeoutError } from './request-timeout-error.ts';
import type { ServerError } from './server-error.ts';
import type { UnexpectedResponseError } from './unexpected-response-error.ts';

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
  return hasErrorBrand(value);
}
