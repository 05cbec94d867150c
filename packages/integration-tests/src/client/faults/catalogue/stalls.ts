import type { Step } from '@memory-read/msw/server';
import { ends, type Fault, fault } from '../fault.ts';
import { head, json, openHead } from '../http-text.ts';

const options = { timeout: 100, retries: 0 };
const timedOut = ends('timeout', 1, { error: { limit: 'attempt', timeoutMs: 100 } });
const openBody = (status: number) => head(status, { 'content-type': 'application/json', 'content-length': '1000' });

/** The connection stays open, but nothing more arrives. */
export const stalls: readonly Fault[] = [
  { name: 'the server accepts the connection and reads nothing', onConnect: ['stall'], options, expected: timedOut },
  { name: 'the TLS handshake stalls', place: { scheme: 'https' }, onConnect: ['stall'], options, expected: timedOut },
  stalled('nothing arrives after the request'),
  stalled('the status line stalls', 'HTTP/1.1 2'),
  stalled('the headers stall', 'HTTP/1.1 200 OK\r\ncontent-'),
  stalled('nothing arrives after the headers', openBody(200)),
  stalled('the body stalls', openBody(200), '['),
  stalled('the body stalls one byte before its end', head(200, { 'content-length': '3' }), '[]'),
  stalled('a chunked body stalls before its last chunk', `${head(200, { 'transfer-encoding': 'chunked' })}2\r\n[]\r\n`),
  stalled('the headers drip without end', 'HTTP/1.1 200 OK\r\nx-drip: ', { drip: 'x', every: 5 }),
  stalled('the body drips without end', openHead(200), { drip: ' ', every: 5 }),
  fault(
    'the body drips beyond the total timeout',
    [openHead(200), { drip: ' ', every: 5 }],
    ends('timeout', 1, { error: { limit: 'total', timeoutMs: 100 } }),
    { options: { timeout: false, totalTimeout: 100 } },
  ),
  fault('every attempt stalls', 'stall', ends('timeout', 3, { error: { limit: 'attempt' } }), {
    options: { timeout: 60, retries: 2 },
  }),
  {
    name: 'a 503, then nothing until the total timeout',
    answers: [[json(503, { detail: 'Down.' }, { 'retry-after': '0' })], ['stall']],
    isAhead: true,
    options: { totalTimeout: 250 },
    expected: ends('timeout', 2, { error: { limit: 'total', cause: { code: 'server', detail: 'Down.' } } }),
  },
  ...(
    [
      [408, 'unexpected_response'],
      [429, 'rate_limited'],
      [500, 'server'],
      [503, 'server'],
    ] as const
  ).map(([status, code]) =>
    fault(
      `the body of a ${status} stalls`,
      [openBody(status), '{"detail":', 'stall'],
      ends(code, 1, { error: { status } }),
      {
        isAhead: true,
        options,
      },
    ),
  ),
  ...[401, 404, 422].map((status) => ({
    ...stalled(`the body of a ${status} stalls`, openBody(status), '{"detail":'),
    call: 'getMemory' as const,
  })),
  fault(
    'the body of a 500 never ends',
    [openHead(500), { flood: '{"detail":"'.padEnd(65_536) }],
    ends('server', 1, { error: { status: 500, detail: undefined } }),
    { options: { retries: 0 } },
  ),
  fault(
    'the body of a 401 never ends',
    [openHead(401), { flood: ' '.repeat(65_536) }],
    ends('authentication', 1, { error: { reason: 'unknown' } }),
  ),
  fault(
    'the body of a 500 unpacks from 64 KiB to 64 MiB',
    [openHead(500, { 'content-encoding': 'gzip' }), { gzip: ' '.repeat(1024 * 1024), times: 64 }, 'end'],
    ends('server', 1, { error: { status: 500 }, within: 30_000 }),
    { options: { retries: 0 } },
  ),
];

function stalled(name: string, ...steps: readonly Step[]): Fault {
  return fault(name, [...steps, 'stall'], timedOut, { options });
}
