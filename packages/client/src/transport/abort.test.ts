import { getEventListeners, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectGarbage } from '@memory-read/test-kit/collect-garbage';
import { listen } from '@memory-read/test-kit/listen';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { describe, expect, test, vi } from 'vitest';
import { type MemoryClientOptions, ServerError } from '../index.ts';
import { everyCall } from '../testing/every-call.ts';
import { useFakeTimers } from '../testing/fake-timers.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer, stalledBody, stubClient } from '../testing/stub-fetch.ts';

useFakeTimers();

const reason = new Error('The user went elsewhere.');
const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort');
const limited = () => json({}, { status: 429, headers: { 'retry-after': '60' } });

test.each<[string, boolean[], StubAnswer, MemoryClientOptions?]>([
  ['while headers are awaited', [true], never],
  ['while the body is awaited', [true], stalledBody],
  ['in a fetch that disregards its signal', [true], () => new Promise(() => {})],
  ['during the apiKey function', [], json([]), { apiKey: () => new Promise(() => {}) }],
  ['during the backoff', [false], limited()],
])(
  'an abort %s rejects with its reason, and leaves no timer and no listener',
  async (_title, ends, answer, options) => {
    const { client, requests } = stubClient(answer, options);
    const aborting = new AbortController();
    const list = rejection(client.listMemories({ signal: aborting.signal }));
    await vi.advanceTimersByTimeAsync(10);
    expect(vi.getTimerCount()).toBe(1);
    aborting.abort(reason);
    expect(await list).toBe(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(requests.map(({ signal }) => signal.aborted)).toEqual(ends);
    expect(requests.filter(({ signal }) => signal.aborted && signal.reason !== reason)).toEqual([]);
    expect([vi.getTimerCount(), listenersOf(aborting.signal)]).toEqual([0, []]);
  },
);

test.each([
  ['onRetry', 1],
  ['onRequest', 0],
] as const)('an abort from %s, just before the backoff or the request, rejects at once', async (hook, sent) => {
  const aborting = new AbortController();
  const { client, requests } = stubClient(limited(), { hooks: { [hook]: () => aborting.abort(reason) } });
  expect(await rejection(client.listMemories({ signal: aborting.signal }))).toBe(reason);
  expect([requests.length, vi.getTimerCount()]).toEqual([sent, 0]);
});

test.each([
  ['AbortSignal.timeout()', new DOMException('', 'TimeoutError')],
  ['an error of this package', new ServerError('Failed to get memory: it is down. Wait.', { status: 500 })],
])('a reason like that of %s passes through: it is neither wrapped nor retried', async (_title, given) => {
  const { client, requests } = stubClient(never);
  const aborting = new AbortController();
  const list = rejection(client.listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(10);
  aborting.abort(given);
  expect(await list).toBe(given);
  expect(requests).toHaveLength(1);
});

/** A signal like that of jsdom, of another realm or of a polyfill, which no `Request` of this realm accepts. */
class ForeignSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;
}

function foreignController() {
  const signal = new ForeignSignal();
  const abort = (reason: unknown) => {
    Object.assign(signal, { aborted: true, reason }).dispatchEvent(new Event('abort'));
  };
  return { signal: signal as unknown as AbortSignal, abort };
}

describe.each([
  ['a signal', () => new AbortController()],
  ['a signal of another realm', foreignController],
] as const)('%s', (_kind, createController) => {
  test.each(Object.entries(everyCall))('ends %s, and does not start it once it is aborted', async (_name, call) => {
    const { client, requests } = stubClient(never);
    const aborting = createController();
    const result = rejection(call(client, { signal: aborting.signal }));
    await vi.waitUntil(() => requests.length > 0);
    aborting.abort(reason);
    expect(await result).toBe(reason);
    expect(await rejection(call(client, { signal: aborting.signal }))).toBe(reason);
    expect([requests.length, listenersOf(aborting.signal)]).toEqual([1, []]);
  });

  test('has no listener left after calls and backoffs that end by themselves', async () => {
    const { client, requests } = stubClient([json({}, { status: 500 }), json(sampleMemory())]);
    const { signal } = createController();
    for (const name of ['getMemory', 'waitForMemory', 'mediaUrl'] as const) {
      const ended = everyCall[name](client, { signal });
      await vi.advanceTimersByTimeAsync(300);
      await ended;
    }
    expect([requests.length, listenersOf(signal)]).toEqual([4, []]);
  });
});

test.each([
  ['the headers', () => {}],
  ['the body', (response: ServerResponse) => void response.writeHead(200, { 'content-length': 100 }).write('[')],
])('an abort while waiting for %s closes the connection, even after garbage collection', async (_title, answer) => {
  vi.useRealTimers();
  const arrived = Promise.withResolvers<IncomingMessage>();
  await using server = await listen((request, response) => {
    answer(response);
    arrived.resolve(request);
  });
  const aborting = new AbortController();
  const client = stubClient([], { baseUrl: server.url, fetch: undefined }).client;
  const list = rejection(client.listMemories({ signal: aborting.signal }));
  const { socket } = await arrived.promise;
  await collectGarbage();
  aborting.abort(reason);
  expect(await list).toBe(reason);
  if (!socket.destroyed) await once(socket, 'close');
});

const refuse = () => {
  throw new Error('raw sk_test');
};

test.each<[string, object]>([
  ['has no cancel', {}],
  ['cancels without a promise', { cancel: () => undefined }],
  ['throws where it is cancelled', { cancel: refuse }],
])('a body that %s does not delay the timeout or the abort', async (_title, odd) => {
  const body = { ...odd, getReader: () => ({ ...odd, read: () => new Promise(() => {}) }) };
  const response = { status: 200, headers: new Headers(), body } as unknown as Response;
  const { client } = stubClient([], { fetch: async () => response, timeout: 400, retries: 0 });
  const late = rejection(client.listMemories());
  await vi.advanceTimersByTimeAsync(400);
  expect(await late).toMatchObject({ code: 'timeout' });
  const aborting = new AbortController();
  const aborted = rejection(client.listMemories({ signal: aborting.signal }));
  await vi.advanceTimersByTimeAsync(10);
  aborting.abort(reason);
  expect(await aborted).toBe(reason);
});
