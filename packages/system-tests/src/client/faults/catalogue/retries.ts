import type { Expectation, Fault, Step } from '../fault.ts';
import { emptyList, head, json, response } from '../http-text.ts';

const limited = (retryAfter: string, headers: Record<string, string> = {}) =>
  json(429, { detail: 'Too many requests' }, { 'retry-after': retryAfter, ...headers });
const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
const atOnce = { ends: 'rate_limited', attempts: 1 } as const;

/** What goes away. */
export const passingFaults: readonly Fault[] = [
  passing('a reset', ['reset']),
  passing('an empty reply', ['end']),
  passing('a body that is cut', [head(200, { 'content-length': '90' }), '[', 'end']),
  passing('a page instead of JSON', [response(200, { body: '<h1>Sign in</h1>' })]),
  passing('a 408', [json(408, {})]),
  passing('a 500', [json(500, { detail: 'Internal server error' })]),
  passing('a 502', [response(502)]),
  passing('a 504', [response(504)]),
  {
    name: 'a 503 and a reset, and then an answer',
    answers: [[json(503, {}, { 'retry-after': '0' })], ['reset'], [emptyList]],
    expected: answered(3),
  },
  {
    name: 'a 500 where retries are turned off',
    answers: [[json(500, {})], [emptyList]],
    options: { retries: 0 },
    expected: { ends: 'server', attempts: 1 },
  },
];

/** How `Retry-After` is read. */
export const retryAfters: readonly Fault[] = [
  {
    name: 'a 429 with Retry-After: 0, and then an answer',
    answers: [[limited('0')], [emptyList]],
    expected: answered(2),
  },
  { name: 'a 429 with a date that is now', answers: [[limited(date, { date })], [emptyList]], expected: answered(2) },
  {
    name: 'a 429 with a date that is past',
    answers: [[limited('Fri, 20 Nov 2020 10:00:00 GMT')], [emptyList]],
    expected: answered(2),
  },
  {
    name: 'a 429 with a date in the form of asctime beyond the total timeout',
    answers: [[limited('Fri Nov 20 11:00:00 2026', { date })]],
    expected: { ...atOnce, error: { retryAfterMs: 3_600_000 } },
  },
  {
    name: 'a 429 with a date in the form of RFC 850 beyond the total timeout',
    answers: [[limited('Friday, 20-Nov-26 11:00:00 GMT', { date })]],
    expected: { ...atOnce, error: { retryAfterMs: 3_600_000 } },
  },
  {
    name: 'a 429 with Retry-After: 3600, beyond the total timeout',
    answers: [[limited('3600')]],
    expected: { ...atOnce, error: { retryAfterMs: 3_600_000 } },
  },
  {
    name: 'a 429 with a date beyond the total timeout',
    answers: [[limited('Fri, 20 Nov 2026 11:00:00 GMT', { date })]],
    expected: atOnce,
  },
  { name: 'a 429 with an absurd Retry-After', answers: [[limited('9'.repeat(400))]], expected: atOnce },
  { name: 'a 429 with a negative Retry-After', answers: [[limited('-5')]], expected: { ...atOnce, attempts: 3 } },
  {
    name: 'a 429 with a Retry-After that is a word',
    answers: [[limited('soon')]],
    expected: { ...atOnce, attempts: 3 },
  },
  { name: 'a 429 without Retry-After, for ever', answers: [[json(429, {})]], expected: { ...atOnce, attempts: 3 } },
  {
    name: 'a 503 with Retry-After: 3600',
    answers: [[json(503, {}, { 'retry-after': '3600' })]],
    expected: { ends: 'server', attempts: 1, error: { retryAfterMs: 3_600_000 } },
  },
];

function passing(what: string, steps: readonly Step[]): Fault {
  return { name: `${what}, and then an answer`, answers: [steps, [emptyList]], expected: answered(2) };
}

function answered(attempts: number): Expectation {
  return { ends: 'answer', attempts, value: [] };
}
