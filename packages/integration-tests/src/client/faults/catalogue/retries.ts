import type { Step } from '@memory-read/msw/server';
import { emptyAnswer, ends, type Fault, fault } from '../fault.ts';
import { emptyList, json, response } from '../http-text.ts';

const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
const atOnce = ends('rate_limited', 1);
const inAnHour = ends('rate_limited', 1, { error: { retryAfterMs: 3_600_000 } });
const inTheEnd = ends('rate_limited', 3);

/** Faults after which a retry succeeds. `clientScenarios` of the judge has others. */
export const passingFaults: readonly Fault[] = [
  passing('an empty reply', ['end']),
  passing('a page instead of JSON', [response(200, { body: '<h1>Sign in</h1>' })]),
  passing('a 408', [json(408, {})]),
  passing('a 502', [response(502)]),
  passing('a 504', [response(504)]),
  {
    name: 'a 503 and a reset, then a response',
    // Some runtimes retry a reset on a kept-alive connection themselves.
    answers: [[json(503, {}, { 'retry-after': '0', connection: 'close' })], ['reset'], [emptyList]],
    expected: emptyAnswer(3),
  },
  {
    name: 'a 500 with retries turned off',
    answers: [[json(500, {})], [emptyList]],
    options: { retries: 0 },
    expected: ends('server', 1),
  },
];

/** Values of `Retry-After`. */
export const retryAfters: readonly Fault[] = [
  passing('a 429 with Retry-After: 0', [limited('0')]),
  passing('a 429 with the current date', [limited(date, { date })]),
  passing('a 429 with a past date', [limited('Fri, 20 Nov 2020 10:00:00 GMT')]),
  fault('a 429 with an asctime date beyond the total timeout', limited('Fri Nov 20 11:00:00 2026', { date }), inAnHour),
  fault(
    'a 429 with an RFC 850 date beyond the total timeout',
    limited('Friday, 20-Nov-26 11:00:00 GMT', { date }),
    inAnHour,
  ),
  fault('a 429 with Retry-After: 3600, beyond the total timeout', limited('3600'), inAnHour),
  fault('a 429 with a date beyond the total timeout', limited('Fri, 20 Nov 2026 11:00:00 GMT', { date }), atOnce),
  fault('a 429 with a Retry-After of 400 digits', limited('9'.repeat(400)), atOnce),
  fault('a 429 with a negative Retry-After', limited('-5'), inTheEnd),
  fault('a 429 with a Retry-After that is a word', limited('soon'), inTheEnd),
  fault('every response is a 429 without Retry-After', json(429, {}), inTheEnd),
  fault(
    'a 503 with Retry-After: 3600',
    json(503, {}, { 'retry-after': '3600' }),
    ends('server', 1, { error: { retryAfterMs: 3_600_000 } }),
  ),
];

function passing(what: string, steps: readonly Step[]): Fault {
  return { name: `${what}, then a response`, answers: [steps, [emptyList]], expected: emptyAnswer(2) };
}

function limited(retryAfter: string, headers: Record<string, string> = {}): string {
  return json(429, { detail: 'Too many requests' }, { 'retry-after': retryAfter, ...headers });
}
