import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type AnyMemoryApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  type InvalidResponseReason,
  isTransient,
  MediaDownloadError,
  type MediaDownloadFailure,
  MediaUnavailableError,
  MemoryNotFoundError,
  ProcessingTimeoutError,
  RateLimitError,
  RequestTimeoutError,
  ServerError,
  UnexpectedResponseError,
} from '../index.ts';
import { backoff, classifyFault, pauseFor, watchPause } from './failure-policy.ts';

const message = 'Failed to get a memory: it is a test. Ignore it.';
const server = (status: number) => new ServerError(message, { status });
const unexpected = (status: number) => new UnexpectedResponseError(message, { status });
const invalid = (reason: InvalidResponseReason) => new InvalidResponseError(message, { reason });
const download = (reason: MediaDownloadFailure) => new MediaDownloadError(message, { reason, bytesReceived: 0 });
const proxy = (proxyStatus?: number) => new ConnectionError(message, { reason: 'proxy', proxyStatus });

const transient: AnyMemoryApiError[] = [
  new RateLimitError(message, { status: 429 }),
  ...[500, 502, 503, 504, 507, 520, 599].map(server),
  ...[408, 425].map(unexpected),
  invalid('not_json'),
  invalid('cut_json'),
  new ConnectionError(message, { reason: 'unreachable' }),
  new ConnectionError(message, { reason: 'cut' }),
  proxy(503),
  proxy(429),
  new RequestTimeoutError(message, { limit: 'attempt', timeoutMs: 1 }),
  new RequestTimeoutError(message, { limit: 'total', timeoutMs: 1 }),
  download('interrupted'),
];

const permanent: AnyMemoryApiError[] = [
  new ConfigurationError(message),
  new AuthenticationError(message, { status: 401, reason: 'invalid_key' }),
  new MemoryNotFoundError(message, { status: 404, memoryId: 'mem_1' }),
  new InvalidRequestError(message, { status: 422, issues: [] }),
  ...[501, 505].map(server),
  ...[0, 204, 302, 400, 403, 404, 407, 409, 410, 451].map(unexpected),
  ...(['structure', 'partial', 'too_large'] as const).map(invalid),
  new ConnectionError(message, { reason: 'certificate' }),
  new ConnectionError(message, { reason: 'permission' }),
  proxy(407),
  proxy(501),
  proxy(),
  new ProcessingTimeoutError(message, { memoryId: 'mem_1', maxWait: 1 }),
  new MediaUnavailableError(message, { memoryId: 'mem_1', kind: 'audio' }),
  ...(['refused', 'changed', 'not_resumable', 'invalid', 'too_large'] as const).map(download),
];

test('the table contains every error code', () => {
  const codes = [...transient, ...permanent].map(({ code }) => code);
  expect(new Set(codes).size).toBe(13);
  expect(transient.filter((error) => !isTransient(error))).toEqual([]);
  expect(permanent.filter((error) => isTransient(error))).toEqual([]);
});

test.each([undefined, null, 'x', new Error('x'), new DOMException('', 'AbortError'), { code: 'timeout' }])(
  '%s is not transient, because it is not an error of this package',
  (value) => {
    expect(isTransient(value)).toBe(false);
  },
);

test.each([
  [[{ message: 'fetch failed' }, { code: 'ECONNREFUSED', message: 'x' }], { reason: 'unreachable' }],
  [[{ message: 'x' }, { code: 'CERT_HAS_EXPIRED', message: 'x' }], { reason: 'certificate' }],
  [[{ message: 'self signed certificate' }], { reason: 'certificate' }],
  [[{ message: 'run again with the --allow-net flag' }], { reason: 'permission' }],
  [[{ message: 'Proxy response (503) !== 200 when HTTP Tunneling' }], { reason: 'proxy', proxyStatus: 503 }],
  [[{ message: 'Proxy Authentication Required (407)' }], { reason: 'proxy', proxyStatus: 407 }],
] as const)('%j is %j', (causes, fault) => {
  expect(classifyFault(causes, false)).toEqual(fault);
});

test('a pause is the longer of its own length and Retry-After', () => {
  const half = () => 0.5;
  expect([pauseFor(300, 0, half), pauseFor(300, 100, half), pauseFor(300, 1_000, half)]).toEqual([300, 300, 1_125]);
  expect(pauseFor(0, 3_600_000, () => 1)).toBe(3_630_000);
  expect(pauseFor(0, 10_000, () => 1, 1_000)).toBe(11_000);
  expect(pauseFor(0, 2_147_483_647, () => 1)).toBe(2_147_483_647);
  expect([1, 2, 6, 50].map((failures) => backoff(half, failures))).toEqual([150, 300, 4_000, 4_000]);
  expect([1, 2, 5, 10].map((failures) => watchPause(30_000, failures))).toEqual([30_000, 60_000, 300_000, 300_000]);
  expect(watchPause(600_000, 3)).toBe(600_000);
});

/** Names of statuses, fault codes and pauses that decide whether an attempt is repeated. */
const decisions =
  /\b(408|425|429|500|501|502|503|504|505|599|CERT|allow-net|120_000|300_000|3_600_000|8_000)\b|ECONN|isRetryable/;

/** They name a status, convert hours, or limit a call: nothing of it decides on another attempt. */
const others = [
  'configuration/client-settings.ts',
  'media/media-expiry.ts',
  'playback/keep-playing.ts',
  'query/memory-query.ts',
  'query/share-data.ts',
  'transcript/format-time.ts',
  'transport/create-connection-error.ts',
  'transport/create-status-error.ts',
];

test('no other file decides what is retried', () => {
  const source = new URL('..', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/test|policy[\\/]|^media[\\/]media-url/.test(path),
  );
  expect(files.length).toBeGreaterThan(80);
  const code = (path: string) =>
    readFileSync(new URL(path.replaceAll('\\', '/'), source), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '');
  expect(files.filter((path) => decisions.test(code(path))).sort()).toEqual(others);
});
