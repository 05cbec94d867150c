import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { collectGarbage } from '@memory-read/test-kit/collect-garbage';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientOptions } from '../index.ts';
import { openServer } from '../testing/http-server.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, stalledBody, stubFetch } from '../testing/stub-fetch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const reason = new Error('The user went elsewhere.');

function createClient(options: MemoryClientOptions) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', ...options });
}

test('a signal that is already aborted rejects with its reason and sends nothing', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const onEnd = vi.fn();
  const client = createClient({ fetch, hooks: { onEnd } });
  expect(await rejection(client.listMemories({ signal: AbortSignal.abort(reason) }))).toBe(reason);
  expect(onEnd).toHaveBeenCalledOnce();
  expect(requests).toHaveLength(0);
});

test.each([
  ['while headers are awaited', never],
  ['while the body is awaited', stalledBody],
  ['in a fetch that disregards its signal', () => new Promise<Response>(() => {})],
])(
  'an abort %s rejects with its reason, is not retried, and leaves no timer and no listener',
  async (_title, answer) => {
    const { fetch, requests } = stubFetch(answer);
    const onRetry = vi.fn();
    const aborting = new AbortController();
    const list = rejection(createClient({ fetch, hooks: { onRetry } }).listMemories({ signal: aborting.signal }));
    await vi.advanceTimersByTimeAsync(10);
    aborting.abort(reason);
    expect(await list).toBe(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(requests.map(({ signal }) => [signal.aborted, signal.reason])).toEqual([[true, reason]]);
    expect(onRetry).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
  },
);

test('an abort during the apiKey function rejects with its reason', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const aborting = new AbortController();
  const client = createClient({ fetch, apiKey: () => new Promise(() => {}) });
  const list = rejection(client.listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(10);
  aborting.abort(reason);
  expect(await list).toBe(reason);
  expect(requests).toHaveLength(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('an abort during the backoff rejects at once and leaves no timer and no listener', async () => {
  const { fetch, requests } = stubFetch(json({}, { status: 429, headers: { 'retry-after': '60' } }));
  const aborting = new AbortController();
  const list = rejection(createClient({ fetch }).listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(100);
  expect(vi.getTimerCount()).toBe(1);
  aborting.abort(reason);
  expect(await list).toBe(reason);
  expect(requests).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(aborting.signal, 'abort')).toEqual([]);
});

test('an abort from a hook, just before the backoff, rejects at once', async () => {
  const { fetch, requests } = stubFetch(json({}, { status: 429, headers: { 'retry-after': '60' } }));
  const aborting = new AbortController();
  const hooks = { onRetry: () => aborting.abort(reason) };
  expect(await rejection(createClient({ fetch, hooks }).listMemories({ signal: aborting.signal }))).toBe(reason);
  expect(requests).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('an abort from a hook, just before the request, sends nothing', async () => {
  const { fetch, requests } = stubFetch(json([]));
  const aborting = new AbortController();
  const hooks = { onRequest: () => aborting.abort(reason) };
  expect(await rejection(createClient({ fetch, hooks }).listMemories({ signal: aborting.signal }))).toBe(reason);
  expect(requests).toHaveLength(0);
});

test('a backoff that ends by itself leaves no listener', async () => {
  const { fetch, requests } = stubFetch(json({}, { status: 500 }), json([]));
  const { signal } = new AbortController();
  const list = createClient({ fetch }).listMemories({ signal });
  await vi.advanceTimersByTimeAsync(300);
  await list;
  expect(requests).toHaveLength(2);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('the reason of AbortSignal.timeout() passes through and is not treated as a timeout of this package', async () => {
  vi.useRealTimers();
  const client = createClient({ fetch: stubFetch(never).fetch });
  const error = await rejection(client.listMemories({ signal: AbortSignal.timeout(5) }));
  expect(error).toBeInstanceOf(DOMException);
  expect(error).toMatchObject({ name: 'TimeoutError' });
});

test('a reason that looks like an error of this package is neither wrapped nor retried', async () => {
  const { fetch, requests } = stubFetch(never);
  const other = await rejection(
    createClient({ fetch: stubFetch(json({}, { status: 500 })).fetch, retries: 0 }).listMemories(),
  );
  const aborting = new AbortController();
  const list = rejection(createClient({ fetch }).listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(10);
  aborting.abort(other);
  expect(await list).toBe(other);
  expect(requests).toHaveLength(1);
});

test('hundreds of calls with one signal leave no listener on it', async () => {
  vi.useRealTimers();
  await using server = await openServer(
    createServer((_request, response) => {
      response.end('[]');
    }),
  );
  const { signal } = new AbortController();
  const client = createClient({ baseUrl: server.url });
  for (let call = 0; call < 200; call += 1) await client.listMemories({ signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
  ['the headers', () => {}],
  ['the body', (response: ServerResponse) => void response.writeHead(200, { 'content-length': 100 }).write('[')],
])('an abort while waiting for %s closes the connection, even after garbage collection', async (_title, answer) => {
  vi.useRealTimers();
  const arrived = Promise.withResolvers<IncomingMessage>();
  await using server = await openServer(
    createServer((request, response) => {
      answer(response);
      arrived.resolve(request);
    }),
  );
  const aborting = new AbortController();
  const list = rejection(createClient({ baseUrl: server.url }).listMemories({ signal: aborting.signal }));
  const { socket } = await arrived.promise;
  await collectGarbage();
  aborting.abort(reason);
  expect(await list).toBe(reason);
  if (!socket.destroyed) await once(socket, 'close');
});

test('an abort after the end of a call changes nothing', async () => {
  const aborting = new AbortController();
  const list = await createClient({ fetch: stubFetch(json([])).fetch }).listMemories({ signal: aborting.signal });
  aborting.abort(reason);
  expect(list).toEqual([]);
});

const oddReaders: [string, object][] = [
  ['has no cancel', {}],
  ['cancels without a promise', { cancel: () => undefined }],
  [
    'throws where it is cancelled',
    {
      cancel() {
        throw new Error('raw sk_test');
      },
    },
  ],
];

/** A response of a `fetch` that implements its own responses, with a body that never arrives. */
const oddAnswer = (odd: object) =>
  ({
    status: 200,
    headers: new Headers(),
    body: { ...odd, getReader: () => ({ ...odd, read: () => new Promise(() => {}) }) },
  }) as unknown as Response;

test.each(oddReaders)('a body that %s does not delay the timeout or the abort', async (_title, odd) => {
  const aborting = new AbortController();
  const client = createClient({ fetch: async () => oddAnswer(odd), timeout: 400, retries: 0 });
  const late = rejection(client.listMemories());
  await vi.advanceTimersByTimeAsync(400);
  expect(await late).toMatchObject({ code: 'timeout' });
  const aborted = rejection(client.listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(10);
  aborting.abort(reason);
  expect(await aborted).toBe(reason);
});
