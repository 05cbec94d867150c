/**
 * Client SDK of the Memory Read API.
 *
 * @packageDocumentation
 */

// Create

export type {
  ApiKey,
  ApiKeyProvider,
  AuthScheme,
  MemoryClientOptions,
  RequestOptions,
  SendRequest,
} from './client-options.ts';
export { MemoryClient } from './memory-client.ts';

// Read

export type { ListedMemory, MediaKind, Memory, Segment, Summary, Transcript } from '@memory-read/contract';
export { type ResponseInfo, responseInfo, type SkippedMemory } from './response-info.ts';

// Wait and watch

export type { PollEvent, WaitOptions, WaitOutcome } from './polling/wait-options.ts';
export type { MemoryChange, MemoryWatch, WatchErrorEvent, WatchOptions } from './polling/watch-options.ts';
export type { WatchState } from './polling/watch-state.ts';

// Media

export { mediaExpiresAt } from './media/media-expiry.ts';
export type {
  MediaDownload,
  MediaProgress,
  MediaUrl,
  MediaUrlOptions,
  OpenMediaOptions,
} from './media/media-options.ts';
export {
  isMediaUrlExpired,
  type MediaUrlExpiredOptions,
  type MediaUrlExpiryOptions,
  mediaUrlExpiresAt,
} from './media/media-url.ts';

// Observe

export type {
  CallEvent,
  DriftEvent,
  EndEvent,
  MemoryClientHooks,
  ResponseEvent,
  RetryEvent,
} from './client-hooks.ts';
export type { ValidationMode } from './validation/check-response.ts';
export type { BrokenKind, DriftKind, ResponseIssue } from './validation/response-issue.ts';

// Errors

export { AuthenticationError, type AuthenticationFailure } from './errors/authentication-error.ts';
export { ConfigurationError } from './errors/configuration-error.ts';
export { ConnectionError, type ConnectionFailure } from './errors/connection-error.ts';
export { InvalidRequestError, type RequestIssue } from './errors/invalid-request-error.ts';
export { InvalidResponseError, type InvalidResponseReason } from './errors/invalid-response-error.ts';
export { type AnyMemoryApiError, isMemoryApiError } from './errors/is-memory-api-error.ts';
export { MediaDownloadError, type MediaDownloadFailure } from './errors/media-download-error.ts';
export type { MediaPlaybackError } from './errors/media-playback-error.ts';
export { MediaUnavailableError } from './errors/media-unavailable-error.ts';
export { MemoryApiError, type RequestSummary } from './errors/memory-api-error.ts';
export { MemoryNotFoundError } from './errors/memory-not-found-error.ts';
export { ProcessingTimeoutError } from './errors/processing-timeout-error.ts';
export { RateLimitError } from './errors/rate-limit-error.ts';
export { RequestTimeoutError, type TimeoutLimit } from './errors/request-timeout-error.ts';
export { ServerError } from './errors/server-error.ts';
export { UnexpectedResponseError } from './errors/unexpected-response-error.ts';
export { isTransient } from './policy/failure-policy.ts';
