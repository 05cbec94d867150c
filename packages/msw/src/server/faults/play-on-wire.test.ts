import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { PlainResponse } from '@memory-read/server';
import { afterEach, expect, test } from 'vitest';
import { playOnWire } from './play-on-wire.ts';
import type { RawFault } from './wire-fault.ts';
import type { ConnectionTurn, WireEnd } from './wire-turn.ts';

const places = { origin: 'http://127.0.0.1:1/api', elsewhere: 'http://127.0.0.1:2' };
const body = '0123456789';
const head = (...lines: string[]) => ['HTTP/1.1 200 OK', 'content-type: text/plain', ...lines, '', ''].join('\r\n');
const longHead = head('content-length: 10', 'connection: keep-alive');
const halfHead = longHead.slice(0, longHead.length / 2);

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Connects a client to a server whose side of the connection `play` writes. */
async function exchange(play: (turn: ConnectionTurn) => Promise<WireEnd>) {
  const started = Promise.withResolvers<ConnectionTurn & { stalled: number; played: Promise<WireEnd> }>();
  const server = createServer((socket) => {
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    socket.on('error', () => {}).resume();
    const turn = {
      connection: { socket, closed },
      places,
      progress: { status: null, bytes: 0 },
      stalled: 0,
      stalls() {
        turn.stalled += 1;
      },
    };
    started.resolve(Object.assign(turn, { played: play(turn) }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  cleanUps.push(async () => {
    client.destroy();
    await once(server.close(), 'close');
  });
  const seen = { text: '' };
  client.setEncoding('latin1').on('data', (text) => {
    seen.text += text;
  });
  const ending = new Promise<string>((resolve) => {
    client.once('end', () => resolve('end')).once('error', () => resolve('reset'));
  });
  return { client, ending, seen, turn: await started.promise };
}

interface Asked {
  init?: RequestInit;
  httpVersion?: string;
  answer?: Partial<PlainResponse>;
}

function playRequest(fault: RawFault, { init, httpVersion = '1.1', answer }: Asked = {}) {
  const request = new Request(`${places.origin}/v1/memories`, init);
  const response = { status: 200, headers: { 'content-type': 'text/plain' }, body, ...answer };
  return exchange((turn) => playOnWire(fault, { ...turn, request, httpVersion, answer: async () => response }));
}

test.each<[RawFault, text: string, ending: 'end' | 'reset']>([
  [{ stop: 'before-head', by: 'reset' }, '', 'reset'],
  [{ stop: 'before-head', by: 'end' }, '', 'end'],
  [{ stop: 'in-head', by: 'reset' }, halfHead, 'reset'],
  [{ stop: 'in-head', by: 'end' }, halfHead, 'end'],
  [{ stop: 'after-head', by: 'reset' }, longHead, 'reset'],
  [{ stop: { bytes: 3 }, by: 'reset' }, `${longHead}012`, 'reset'],
  [{ stop: { bytes: 3 }, by: 'end', framing: 'length' }, `${longHead}012`, 'end'],
  [{ stop: { bytes: 30 }, by: 'end' }, longHead + body, 'end'],
  [{ stop: { share: 0.75 }, by: 'end' }, `${longHead}0123456`, 'end'],
  [{ stop: { share: 1 }, by: 'reset' }, longHead + body, 'reset'],
  [
    { stop: { bytes: 3 }, by: 'end', framing: 'exact' },
    `${head('content-length: 3', 'connection: keep-alive')}012`,
    'end',
  ],
  [{ stop: 'after-head', by: 'end', framing: 'exact' }, head('content-length: 0', 'connection: keep-alive'), 'end'],
  [{ stop: { bytes: 3 }, by: 'end', framing: 'close' }, `${head('connection: close')}012`, 'end'],
  [
    { stop: { bytes: 3 }, by: 'reset', framing: 'chunked' },
    `${head('transfer-encoding: chunked', 'connection: keep-alive')}3\r\n012\r\n`,
    'reset',
  ],
  ['cut', `${longHead}01234`, 'reset'],
  ['network-error', '', 'reset'],
  ['garbage', '\x15\x03\x01\x00\x02\x02\x50'.repeat(8), 'end'],
  [{ steps: ['{origin} ', { wait: 1 }, '{elsewhere}\xff', 'end'] }, `${places.origin} ${places.elsewhere}\xff`, 'end'],
  [{ steps: [{ gzip: 'a', times: 3 }, 'reset', 'more'] }, gzipSync('aaa').toString('latin1'), 'reset'],
])('%j sends what comes before it, then ends the connection', async (fault, text, ending) => {
  const { turn, seen, ...client } = await playRequest(fault);
  expect([await turn.played, await client.ending, seen.text, turn.stalled]).toEqual(['fault', ending, text, 0]);
});

test.each<[RawFault, text: string, status: number | null, bytes: number]>([
  ['stall', '', null, 0],
  [{ stop: 'before-head', by: 'stall' }, '', null, 0],
  [{ stop: 'in-head', by: 'stall' }, halfHead, null, 0],
  [{ stop: 'after-head', by: 'stall' }, longHead, 200, 0],
  [{ stop: { share: 0.5 }, by: 'stall' }, `${longHead}01234`, 200, 5],
  [{ stop: { bytes: 2 }, by: 'stall', framing: 'close' }, `${head('connection: close')}01`, 200, 2],
  [{ steps: [`HTTP/1.1 103 Hints\r\n\r\n${longHead}01`, '2', 'stall', 'end'] }, `${longHead}012`, 200, 3],
])('%j stalls until the client leaves', async (fault, text, status, bytes) => {
  const { turn, seen, client } = await playRequest(fault);
  await expect.poll(() => turn.stalled).toBe(1);
  await expect.poll(() => seen.text).toContain(text);
  expect(turn.progress).toEqual({ status, bytes });
  client.destroy();
  expect(await turn.played).toBe('aborted');
});

const fast = { bytesPerSecond: 1_000_000 };
test.each<[RawFault, Asked, text: string, isLast: boolean]>([
  [fast, {}, longHead + body, false],
  [{ steps: ['as it ', 'is'] }, {}, 'as it is', false],
  [
    fast,
    { answer: { body: [body, Buffer.from(body)] } },
    `${head('content-length: 20', 'connection: keep-alive')}${body}${body}`,
    false,
  ],
  [fast, { answer: { body: new Blob([body]).stream() } }, longHead + body, false],
  [fast, { httpVersion: '1.0' }, `${head('content-length: 10', 'connection: close')}${body}`, true],
  [
    fast,
    { init: { headers: { connection: 'close' } } },
    `${head('content-length: 10', 'connection: close')}${body}`,
    true,
  ],
  [
    fast,
    { init: { method: 'HEAD' }, answer: { headers: { 'content-length': '10' }, body: null } },
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\nconnection: keep-alive\r\n\r\n',
    false,
  ],
  [
    fast,
    { answer: { status: 304, headers: {}, body: null } },
    'HTTP/1.1 304 Not Modified\r\nconnection: keep-alive\r\n\r\n',
    false,
  ],
])('%j sends all to %j', async (fault, asked, text, isLast) => {
  const { turn, seen, ending } = await playRequest(fault, asked);
  expect(await turn.played).toBe('sent');
  await expect.poll(() => seen.text).toBe(text);
  expect(turn.connection.socket.writableEnded).toBe(isLast);
  if (isLast) expect(await ending).toBe('end');
});

test('a limit of bytes a second is kept', async () => {
  const start = performance.now();
  const { turn } = await playRequest({ bytesPerSecond: 60 });
  await turn.played;
  expect(turn.progress.bytes).toBe(10);
  expect(performance.now() - start).toBeGreaterThan(140);
});

test.each<RawFault>([
  { bytesPerSecond: 1 },
  { steps: [{ drip: 'x', every: 5 }] },
  { steps: [{ flood: 'x'.repeat(100_000) }] },
  { steps: ['x', { wait: 60_000 }, 'end'] },
])('%j ends when the client leaves', async (fault) => {
  const { turn, seen, client } = await playRequest(fault);
  await expect.poll(() => seen.text).not.toBe('');
  client.destroy();
  expect(await turn.played).toBe('aborted');
});

const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
test.each<[RawFault, Asked]>([
  [{ steps: [{ flood: 'x' }] }, {}],
  [{ steps: [{ flood: 'x'.repeat(65_536) }] }, {}],
  [{ stop: { share: 1 }, by: 'end' }, { answer: { headers: { 'content-length': '1000000000' }, body: endless() } }],
])('%j lets other requests run between its pieces', async (fault, asked) => {
  const { turn } = await playRequest(fault, asked);
  await new Promise(setImmediate);
  expect((turn.connection.socket as Socket).bytesWritten).toBeLessThanOrEqual(3 * 65_536);
});

test('a stream is cancelled where the response stops, and read no further', async () => {
  const cancelled = Promise.withResolvers<void>();
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulls += 1;
        controller.enqueue(Buffer.from('01234'));
      },
      cancel: () => cancelled.resolve(),
    },
    { highWaterMark: 0 },
  );
  const answer = { headers: { 'content-length': '1000000' }, body: stream };
  const { turn } = await playRequest({ stop: { bytes: 7 }, by: 'end' }, { answer });
  expect(await turn.played).toBe('fault');
  await cancelled.promise;
  expect([pulls, turn.progress.bytes]).toEqual([2, 7]);
});
