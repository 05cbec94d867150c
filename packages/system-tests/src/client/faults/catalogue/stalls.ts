import type { Expectation, Fault } from '../fault.ts';
import { emptyList, head, json, openHead } from '../http-text.ts';

const options = { timeout: 100, retries: 0 };
const timedOut = { ends: 'timeout', attempts: 1, error: { limit: 'attempt' } } as const;
const openBody = head(200, { 'content-type': 'application/json', 'content-length': '1000' });
const refusal = (status: number) => head(status, { 'content-type': 'application/json', 'content-length': '1000' });

/** Nothing is closed, and nothing comes any more. */
export const stalls: readonly Fault[] = [
  { name: 'the connection is accepted and nothing is read', onConnect: ['stall'], options, expected: timedOut },
  { name: 'the TLS handshake stalls', place: { scheme: 'https' }, onConnect: ['stall'], options, expected: timedOut },
  { name: 'nothing comes after the request', answers: [['stall']], options, expected: timedOut },
  { name: 'the status line stalls', answers: [['HTTP/1.1 2', 'stall']], options, expected: timedOut },
  { name: 'the headers stall', answers: [['HTTP/1.1 200 OK\r\ncontent-', 'stall']], options, expected: timedOut },
  { name: 'nothing comes after the headers', answers: [[openBody, 'stall']], options, expected: timedOut },
  { name: 'the body stalls', answers: [[openBody, '[', 'stall']], options, expected: timedOut },
  {
    name: 'the body stalls one byte before its end',
    answers: [[head(200, { 'content-length': '3' }), '[]', 'stall']],
    options,
    expected: timedOut,
  },
  {
    name: 'a chunked body stalls before its last chunk',
    answers: [[`${head(200, { 'transfer-encoding': 'chunked' })}2\r\n[]\r\n`, 'stall']],
    options,
    expected: timedOut,
  },
  {
    name: 'the headers drip for ever',
    answers: [['HTTP/1.1 200 OK\r\nx-drip: ', { drip: 'x', every: 5 }]],
    options,
    expected: timedOut,
  },
  {
    name: 'the body drips for ever',
    answers: [[openHead(200), { drip: ' ', every: 5 }]],
    options,
    expected: timedOut,
  },
  {
    name: 'the body drips beyond the total timeout',
    answers: [[openHead(200), { drip: ' ', every: 5 }]],
    options: { timeout: false, totalTimeout: 100 },
    expected: { ends: 'timeout', attempts: 1, error: { limit: 'total', timeoutMs: 100 } },
  },
  {
    name: 'every attempt stalls',
    answers: [['stall']],
    options: { timeout: 60, retries: 2 },
    expected: { ends: 'timeout', attempts: 3, error: { limit: 'attempt' } },
  },
  {
    name: 'an attempt stalls and the next one is answered',
    answers: [[emptyList], ['stall']],
    ahead: 2,
    options: { timeout: 100, retries: 1 },
    expected: { ends: 'answer', attempts: 2, value: [] },
  },
  {
    name: 'a 503, and then nothing until the total timeout',
    answers: [[json(503, { detail: 'Down.' }, { 'retry-after': '0' })], ['stall']],
    ahead: 1,
    options: { totalTimeout: 250 },
    expected: { ends: 'timeout', attempts: 2, error: { limit: 'total', cause: { code: 'server', detail: 'Down.' } } },
  },
  ...[408, 429, 500, 503].map(
    (status): Fault => ({
      name: `the body of a ${status} stalls`,
      answers: [[refusal(status), '{"detail":', 'stall']],
      ahead: 1,
      options,
      expected: { ends: endOf(status), attempts: 1, error: { status } },
    }),
  ),
  ...[401, 404, 422].map(
    (status): Fault => ({
      name: `the body of a ${status} stalls`,
      call: 'getMemory',
      answers: [[refusal(status), '{"detail":', 'stall']],
      options,
      expected: timedOut,
    }),
  ),
  {
    name: 'the body of a 500 never ends',
    answers: [[openHead(500), { flood: '{"detail":"'.padEnd(65_536) }]],
    options: { retries: 0 },
    expected: { ends: 'server', attempts: 1, error: { status: 500, detail: undefined } },
  },
  {
    name: 'the body of a 401 never ends',
    answers: [[openHead(401), { flood: ' '.repeat(65_536) }]],
    expected: { ends: 'authentication', attempts: 1, error: { reason: 'unknown' } },
  },
  {
    name: 'the 64 KiB of a 500 unpack to 64 MiB',
    answers: [[openHead(500, { 'content-encoding': 'gzip' }), { gzip: ' '.repeat(1024 * 1024), times: 64 }, 'end']],
    options: { retries: 0 },
    expected: { ends: 'server', attempts: 1, error: { status: 500 } },
  },
];

function endOf(status: number): Expectation['ends'] {
  if (status === 429) return 'rate_limited';
  return status === 408 ? 'unexpected_response' : 'server';
}
