import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  type InvalidResponseReason,
  MediaDownloadError,
  type MediaDownloadFailure,
  MediaPlaybackError,
  type MediaPlaybackFailure,
  MediaUnavailableError,
  MemoryNotFoundError,
  ProcessingTimeoutError,
  RateLimitError,
  RequestTimeoutError,
  ServerError,
  UnexpectedResponseError,
} from '../errors/errors.ts';
import type { AnyMemoryApiError } from '../errors/is-memory-api-error.ts';

const message = 'Failed to get a memory: it is a test. Ignore it.';
const server = (status: number) => new ServerError(message, { status });
const unexpected = (status: number) => new UnexpectedResponseError(message, { status });
const invalid = (reason: InvalidResponseReason) => new InvalidResponseError(message, { reason });
const download = (reason: MediaDownloadFailure) => new MediaDownloadError(message, { reason, bytesReceived: 0 });
const playback = (reason: MediaPlaybackFailure) => new MediaPlaybackError(message, { reason });
const proxy = (proxyStatus?: number) => new ConnectionError(message, { reason: 'proxy', proxyStatus });
const wait = { memoryId: 'mem_1', maxWait: 1 };

/** Every class with every reason and the statuses that decide: what can succeed later. */
export const transientErrors: readonly AnyMemoryApiError[] = [
  new RateLimitError(message, { status: 429, retryAfterMs: 7_000 }),
  ...[500, 502, 503, 504, 507, 520, 599].map(server),
  ...[408, 425].map(unexpected),
  ...(['not_json', 'cut_json'] as const).map(invalid),
  ...(['unreachable', 'cut'] as const).map((reason) => new ConnectionError(message, { reason, faultCode: 'EPIPE' })),
  proxy(503),
  proxy(429),
  new RequestTimeoutError(message, { limit: 'attempt', timeoutMs: 1 }),
  new RequestTimeoutError(message, { limit: 'total', timeoutMs: 1, cause: server(503) }),
  download('interrupted'),
];

/** As above: what cannot succeed later. */
export const permanentErrors: readonly AnyMemoryApiError[] = [
  new ConfigurationError(message, { option: 'retries' }),
  ...(['missing_key', 'invalid_key', 'unknown'] as const).map(
    (reason) => new AuthenticationError(message, { status: 401, reason }),
  ),
  new MemoryNotFoundError(message, { status: 404, memoryId: 'mem_1' }),
  new InvalidRequestError(message, { status: 422, issues: [{ path: ['path', 'memory_id'], message: 'No.' }] }),
  ...[501, 505].map(server),
  ...[0, 204, 302, 400, 403, 404, 407, 409, 410, 451].map(unexpected),
  ...(['structure', 'partial', 'too_large'] as const).map(invalid),
  ...(['certificate', 'permission'] as const).map((reason) => new ConnectionError(message, { reason })),
  proxy(407),
  proxy(501),
  proxy(),
  new ProcessingTimeoutError(message, wait),
  new ProcessingTimeoutError(message, { ...wait, memory: sampleMemory({ is_processing: true }) }),
  new ProcessingTimeoutError(message, {
    ...wait,
    cause: new RequestTimeoutError(message, { limit: 'total', timeoutMs: 1, cause: server(503) }),
  }),
  new MediaUnavailableError(message, { memoryId: 'mem_1', kind: 'audio' }),
  ...(['refused', 'changed', 'not_resumable', 'invalid', 'too_large', 'forbidden_origin'] as const).map(download),
  ...(['refused', 'damaged', 'invalid'] as const).map(playback),
];

export const everyError = [...transientErrors, ...permanentErrors];
