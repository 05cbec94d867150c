import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTransient } from '../index.ts';
import { everyError, permanentErrors, transientErrors } from '../testing/every-error.ts';
import { backoff, classifyFault, pauseFor, watchPause } from './failure-policy.ts';

test('isTransient decides about every error code', () => {
  expect(new Set(everyError.map(({ code }) => code)).size).toBe(14);
  expect(transientErrors.filter((error) => !isTransient(error))).toEqual([]);
  expect(permanentErrors.filter((error) => isTransient(error))).toEqual([]);
});

test.each([
  [[{ message: 'self signed certificate' }], { reason: 'certificate' }],
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

/** They name a status, convert hours, or limit a call or a text: nothing of it decides on another attempt. */
const others = [
  'configuration/client-settings.ts',
  'media/media-expiry.ts',
  'playback/keep-playing.ts',
  'query/memory-query.ts',
  'query/share-data.ts',
  'search/to-snippet.ts',
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
