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

export {
  AuthenticationError,
  type AuthenticationFailure,
  ConfigurationError,
  ConnectionError,
  type ConnectionFailure,
  InvalidRequestError,
  InvalidResponseError,
  type InvalidResponseReason,
  MediaDownloadError,
  type MediaDownloadFailure,
  type MediaPlaybackError,
  MediaUnavailableError,
  MemoryApiError,
  MemoryNotFoundError,
  ProcessingTimeoutError,
  RateLimitError,
  type RequestIssue,
  type RequestSummary,
  RequestTimeoutError,
  ServerError,
  type TimeoutLimit,
  UnexpectedResponseError,
} from './errors/errors.ts';
export { type AnyMemoryApiError, isMemoryApiError } from './errors/is-memory-api-error.ts';
export { isTransient } from './policy/failure-policy.ts';
