import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createHmacMediaSigner } from '../../media/create-hmac-media-signer.ts';
import { createMediaHost } from '../../media/create-media-host.ts';
import { createDirectoryMediaSource } from './create-directory-media-source.ts';
import type { RunningServer } from './serve.ts';
import type { ServeOptions } from './serve-options.ts';
import { startServer } from './start-server.test-support.ts';

/** More than the buffers of two sockets hold. */
const large = new Uint8Array(32 * 1_048_576);
/** Also returns the paths of the requests that `fetch` got. */
async function start(fetch: ServeOptions['fetch'], options: Partial<ServeOptions> = {}) {
  const begun: string[] = [];
  const server = await startServer((request) => {
    begun.push(new URL(request.url).pathname);
    return fetch(request);
  }, options);
  return { ...server, begun };
}

/** A connection that the server may reset before it is used. */
function begin({ port }: RunningServer): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  return socket.on('error', () => {});
}

/** A connection that sends bytes and reads nothing until it is resumed. */
async function open(server: RunningServer, bytes = ''): Promise<Socket> {
  const socket = begin(server);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** What is read until the server closes the connection, and how it was closed. */
function readToEnd(socket: Socket): Promise<{ received: string; error: string | undefined }> {
  return new Promise((resolve) => {
    let [received, error]: [string, string | undefined] = ['', undefined];
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = code));
    socket.on('close', () => resolve({ received, error }));
    socket.on('end', () => socket.end());
  });
}

const requests = (count: number, path = '/') =>
  Array.from({ length: count }, (_, index) => `GET ${path}${index} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');
const pathOf = ({ url }: Request) => new URL(url).pathname;
const echo = (request: Request) => new Response(`<${pathOf(request)}>`);
const answersIn = (received: string) => received.match(/<.*?>/g)?.join('') ?? '';

/** A `fetch` that responds when the gate is opened. */
function gated() {
  const gate = Promise.withResolvers<void>();
  return { open: gate.resolve, fetch: async (request: Request) => gate.promise.then(() => echo(request)) };
}

test('gives pipelined requests to fetch one after another, and answers them in their order', async () => {
  const order: string[] = [];
  const server = await start(
    async (request) => {
      order.push(`begin ${pathOf(request)}`);
      await new Promise((resolve) => setImmediate(resolve));
      return echo(request);
    },
    { onEnd: ({ path, bytesSent }) => order.push(`end ${path} ${bytesSent > 50 && bytesSent < 200}`) },
  );
  const socket = await open(server, `${requests(3)}GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answersIn((await readToEnd(socket)).received)).toBe('</0></1></2></last>');
  const inTurn = ['/0', '/1', '/2', '/last'].flatMap((path) => [`begin ${path}`, `end ${path} true`]);
  await vi.waitFor(() => expect(order).toEqual(inTurn));
});

test('HEAD, errors and expectations keep their turn', async () => {
  const server = await start(async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    return echo(request);
  });
  const lines = ['GET /a HTTP/1.1', 'HEAD /b HTTP/1.1', 'GET /c\\d HTTP/1.1', 'GET /e HTTP/1.1\r\nExpect: miracles'];
  const bytes = [...lines, 'GET /f HTTP/1.1\r\nConnection: close'].map((line) => `${line}\r\nHost: a\r\n\r\n`).join('');
  const { received } = await readToEnd(await open(server, bytes));
  expect(received.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '200', '400', '417', '200']);
  expect(answersIn(received)).toBe('</a></f>');
});

test('answers as many pipelined requests as are allowed', async () => {
  const { fetch, open: openGate } = gated();
  const server = await start(fetch, { maxPipelined: 16 });
  const socket = await open(server, requests(16));
  await vi.waitFor(() => expect(server.begun).toHaveLength(1));
  openGate();
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  await vi.waitFor(() => expect(answersIn(received)).toContain('</15>'));
  // Answered requests no longer count.
  socket.write(requests(16, '/more'));
  await vi.waitFor(() => expect(answersIn(received)).toContain('</more15>'));
});

test.each([
  ['in one read', requests(17), ''],
  ['in two reads', requests(16), requests(1)],
  ['with hundreds behind it', requests(400), ''],
])('resets the connection at the 17th unanswered request %s', async (_, first, second) => {
  const aborted = Promise.withResolvers<void>();
  const server = await start(({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve());
    return new Promise(() => {});
  });
  const socket = await open(server, first);
  const closed = readToEnd(socket);
  if (second !== '') {
    await vi.waitFor(() => expect(server.begun).toHaveLength(1));
    socket.write(second);
  }
  expect(await closed).toEqual({ received: '', error: 'ECONNRESET' });
  await aborted.promise;
  expect(server.begun).toEqual(['/0']);
  expect(server.events).toMatchObject([{ path: '/0', outcome: 'aborted', status: null }]);
});

const withBodies = (count: number) => requests(count).replaceAll('a\r\n\r\n', 'a\r\nContent-Length: 1\r\n\r\nx');

test('requests with bodies count too, although each is answered before the next one is parsed', async () => {
  const server = await start(echo);
  const { received, error } = await readToEnd(await open(server, withBodies(400)));
  expect(error).toBe('ECONNRESET');
  expect(server.begun.length).toBeLessThanOrEqual(16);
  expect(received.length).toBeLessThan(16 * 300);
  const allowed = await open(server, `${withBodies(15)}GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answersIn((await readToEnd(allowed)).received)).toMatch(/^(<\/\d+>){15}<\/last>$/);
});

test.each([
  ['a whole body', () => new Response(large, { headers: { 'content-length': String(large.length) } })],
  ['a text', () => new Response('x'.repeat(large.length))],
  [
    'a stream',
    () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) })),
  ],
])('resets a caller that takes nothing of %s for sendTimeout', async (_, answer) => {
  const server = await start(answer, { sendTimeout: 50 });
  const socket = await open(server, requests(2));
  await vi.waitFor(() => expect(server.events).toMatchObject([{ path: '/0', status: 200, outcome: 'aborted' }]));
  expect((await readToEnd(socket)).error).toBe('ECONNRESET');
  expect(server.begun).toEqual(['/0']);
});

test.each(['', 'Range: bytes=1000-\r\n'])(
  'a caller that never reads a large media file holds little of it (%j)',
  async (range) => {
    const path = mkdtempSync(join(tmpdir(), 'memory-read-stalled-'));
    onTestFinished(() => rmSync(path, { recursive: true }));
    writeFileSync(join(path, 'a.wav'), '');
    truncateSync(join(path, 'a.wav'), 512 * 1_048_576);
    const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
    const host = createMediaHost({ source: createDirectoryMediaSource({ path }), secrets });
    const server = await start(host.fetch, { sendTimeout: 100 });
    const expiresAt = new Date(Date.now() + 600_000);
    const signer = createHmacMediaSigner({ baseUrl: server.url, secrets });
    const { pathname, search } = new URL(
      await signer.sign({ objectKey: 'a.wav', contentType: 'audio/wav', expiresAt }),
    );
    await open(server, `GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\n${range}\r\n`);
    const status = range === '' ? 200 : 206;
    await vi.waitFor(() => expect(server.events).toMatchObject([{ status, outcome: 'aborted' }]), 5_000);
    expect(server.events[0]?.bytesSent).toBeLessThan(32 * 1_048_576);
  },
);

test('does not count bytes of the caller as progress of a response that is not read', async () => {
  const server = await start(() => new Response('x'.repeat(50_000)), { sendTimeout: 100, maxPipelined: 1_000_000 });
  const socket = await open(server);
  const sending = setInterval(() => socket.write(requests(20)), 5);
  onTestFinished(() => clearInterval(sending));
  await vi.waitFor(() => expect(server.events.at(-1)?.outcome).toBe('aborted'), 5_000);
});

test.each([
  ['blank lines', requests(1), '\r\n'],
  ['bytes behind CONNECT', `${requests(1)}CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n`, 'x'],
])('does not count %s as progress of a response that is not read', async (_, first, trickle) => {
  const server = await start(() => new Response(large), { sendTimeout: 60 });
  const socket = await open(server, first);
  const sending = setInterval(() => socket.write(trickle), 10);
  onTestFinished(() => clearInterval(sending));
  await vi.waitFor(() => expect(server.events[0]?.outcome).toBe('aborted'), 5_000);
});

test('does not reset a caller that reads slowly', async () => {
  const server = await start(() => new Response(large), { sendTimeout: 250 });
  const socket = await open(server, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const [startedAt, piece] = [performance.now(), large.length / 40];
  let [received, resumeAt] = [0, piece];
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.on('end', () => socket.end());
  socket.on('data', (chunk) => {
    received += chunk.length;
    if (received < resumeAt) return;
    resumeAt += piece;
    socket.pause();
    setTimeout(() => socket.resume(), 10);
  });
  await ended;
  expect(received).toBeGreaterThan(large.length);
  expect(performance.now() - startedAt).toBeGreaterThan(300);
  expect(server.events).toMatchObject([{ outcome: 'finished' }]);
});

test('does not limit the time of fetch, and limits that of its response all the same', async () => {
  const sendTimeout = 30;
  const server = await start(
    async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 4 * sendTimeout));
      return pathOf(request) === '/0' ? echo(request) : new Response(large);
    },
    { sendTimeout },
  );
  await open(server, requests(2));
  await vi.waitFor(() => expect(server.events).toHaveLength(2), 5_000);
  expect(server.events).toMatchObject([
    { path: '/0', status: 200, outcome: 'finished' },
    { path: '/1', status: 200, outcome: 'aborted' },
  ]);
});

test('a new connection replaces the one that has been idle for longest', async () => {
  const server = await start(echo, { maxConnections: 2 });
  const ask = async (socket: Socket) => {
    socket.write(requests(1));
    await once(socket, 'data');
  };
  const [first, second] = [await open(server), await open(server)];
  for (const socket of [first, second, first]) await ask(socket);
  const closed = once(second.resume(), 'end');
  const third = await open(server);
  await ask(third);
  await closed;
  await ask(first);
});

test('closes idle connections first, and resets a new one if all are busy', async () => {
  const { fetch, open: openGate } = gated();
  const server = await start(fetch, { maxConnections: 2 });
  const busy = [await open(server, requests(1)), await open(server, requests(1))];
  await vi.waitFor(() => expect(server.begun).toHaveLength(2));
  const refused = readToEnd(begin(server));
  expect(await refused).toEqual({ received: '', error: 'ECONNRESET' });
  openGate();
  for (const socket of busy) expect(answersIn(String(await once(socket, 'data')))).toBe('</0>');
  const next = await open(server, requests(1));
  expect(answersIn(String(await once(next, 'data')))).toBe('</0>');
});

test('counts only connections that are open', async () => {
  const server = await start(echo, { maxConnections: 1 });
  for (let turn = 0; turn < 5; turn += 1) {
    const socket = await open(server, requests(1));
    expect(answersIn(String(await once(socket, 'data')))).toBe('</0>');
    if (turn % 2 === 0) socket.destroy();
  }
});

test('clients that keep connections alive reconnect after their connection was replaced', async () => {
  const server = await start(echo, { maxConnections: 2 });
  const agents = Array.from({ length: 5 }, () => new Agent({ keepAlive: true }));
  onTestFinished(() => {
    for (const agent of agents) agent.destroy();
  });
  for (const turn of ['first', 'second']) {
    for (const agent of agents) {
      await vi.waitFor(() => expect(turn === 'first' || Object.keys(agent.freeSockets).length === 0).toBe(true));
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${server.url}/${turn}`, { agent }, resolve).on('error', reject);
      });
      expect(await text(response)).toBe(`</${turn}>`);
    }
  }
});

test('closes a connection that stays idle after a response', async () => {
  const shorten = (message: unknown) => {
    const { server } = message as { server: Server };
    Object.assign(server, { keepAliveTimeout: 20, keepAliveTimeoutBuffer: 0 });
  };
  subscribe('http.server.request.start', shorten);
  onTestFinished(() => void unsubscribe('http.server.request.start', shorten));
  const server = await start(echo);
  const { received, error } = await readToEnd(await open(server, requests(1)));
  expect([answersIn(received), error]).toEqual(['</0>', undefined]);
});

test.each([
  ['a malformed request', 'NONSENSE\r\n\r\n'],
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'],
])('closes the connection of %s even if the caller never does', async (_, bytes) => {
  const server = await start(echo, { sendTimeout: 50 });
  const socket = await open(server, bytes);
  await once(socket.resume(), 'end');
  // Further bytes of the caller gain no time, and fail when the server has closed the connection.
  const writing = setInterval(() => socket.write('x'), 20);
  onTestFinished(() => clearInterval(writing));
  await new Promise((resolve) => socket.on('close', resolve));
});

test.each([true, false])('CONNECT behind a long response lets it end, and may be reset (%s)', async (isReset) => {
  let rest = 400;
  const body = () =>
    new ReadableStream({ pull: (to) => (rest-- > 0 ? to.enqueue(new Uint8Array(65_536)) : to.close()) });
  const server = await start(() => new Response(body()));
  const socket = await open(server, `${requests(1)}CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n`);
  await vi.waitFor(() => expect(server.begun).toHaveLength(1));
  if (isReset) socket.resetAndDestroy();
  else expect((await readToEnd(socket)).received).toMatch(/HTTP\/1\.1 405 /);
  const outcome = isReset ? 'aborted' : 'finished';
  await vi.waitFor(() => expect(server.events[0]).toMatchObject({ path: '/0', outcome }));
});

test('a request that arrives slowly has the time of requestTimeout', async () => {
  const server = await start(echo, { sendTimeout: 20, requestTimeout: 100 });
  const { received } = await readToEnd(await open(server, 'GET / HTTP/1.1\r\nHost: a\r\n'));
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
});

test('close ends callers that stall within its time', async () => {
  const server = await start((request) => (pathOf(request) === '/0' ? new Response(large) : echo(request)), {
    closeTimeout: 50,
  });
  const refused = 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n';
  await Promise.all(['', requests(1), requests(3), `${requests(2)}${refused}`].map((bytes) => open(server, bytes)));
  await vi.waitFor(() => expect(server.begun).toHaveLength(3));
  await server.close();
  await vi.waitFor(() => expect(server.events.filter(({ outcome }) => outcome === 'aborted')).toHaveLength(3));
}, 5_000);
