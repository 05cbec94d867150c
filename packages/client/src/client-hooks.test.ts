import { AsyncLocalStorage } from 'node:async_hooks';
import { runInNewContext } from 'node:vm';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientHooks } from './index.ts';
import { rejection } from './testing/rejection.ts';
import { json, type StubAnswer, stubClient } from './testing/stub-fetch.ts';

const names = ['onRequest', 'onResponse', 'onRetry', 'onEnd', 'onDrift'] as const;

const createClient = (hooks: MemoryClientHooks, ...answers: StubAnswer[]) => stubClient(answers, { hooks }).client;

function recordEvents() {
  const events: [name: string, event: Record<string, unknown>][] = [];
  const hooks = Object.fromEntries(names.map((name) => [name, (event: object) => events.push([name, { ...event }])]));
  return { hooks: hooks as MemoryClientHooks, events };
}

const unavailable = () => json({}, { status: 503, headers: { 'retry-after': '0' } });

test('reports a call from its first request to its end, under one id', async () => {
  const { hooks, events } = recordEvents();
  const ok = json(sampleMemory(), { headers: { 'x-request-id': 'req_2' } });
  await createClient(hooks, unavailable(), ok).getMemory('mem_1');

  const call = { callId: expect.any(String), operation: 'getMemory', url: 'https://api.example.com/v1/memories/mem_1' };
  const elapsed = expect.any(Number);
  expect(events).toEqual([
    ['onRequest', { ...call, attempt: 1 }],
    ['onResponse', { ...call, attempt: 1, status: 503, requestId: undefined, elapsed }],
    ['onRetry', { ...call, attempt: 1, delay: expect.any(Number), error: expect.objectContaining({ code: 'server' }) }],
    ['onRequest', { ...call, attempt: 2 }],
    ['onResponse', { ...call, attempt: 2, status: 200, requestId: 'req_2', elapsed }],
    ['onEnd', { ...call, attempt: 2, elapsed }],
  ]);
  expect(new Set(events.map(([, { callId }]) => callId)).size).toBe(1);
});

test('gives each call its own id', async () => {
  const { hooks, events } = recordEvents();
  const client = createClient(hooks, json([]));
  await client.listMemories();
  await client.listMemories();
  expect(new Set(events.map(([, { callId }]) => callId)).size).toBe(2);
});

test('onEnd also reports an invalid structure', async () => {
  const { hooks, events } = recordEvents();
  const error = await rejection(createClient(hooks, json({})).getMemory('mem_1'));
  expect(events.at(-1)).toEqual(['onEnd', expect.objectContaining({ error })]);
});

const aborted = AbortSignal.abort(new Error('The user went elsewhere.'));

test.each<[string, string, (client: MemoryClient) => Promise<unknown>]>([
  ['an id', '/v1/memories/{memory_id}', (client) => client.getMemory('..')],
  ['no id', '/v1/memories/{memory_id}', (client) => client.getMemory(undefined as unknown as string)],
  ['an option', '/v1/memories', (client) => client.listMemories({ retries: -1 })],
  ['a signal', '/v1/memories', (client) => client.listMemories({ signal: 7 as unknown as AbortSignal })],
  ['no options', '/v1/memories', (client) => client.listMemories(null as unknown as object)],
  ['an aborted signal', '/v1/memories/mem_1', (client) => client.getMemory('mem_1', { signal: aborted })],
])('a call that is rejected for %s has its onEnd and no other event', async (_title, path, refusedCall) => {
  const { hooks, events } = recordEvents();
  const error = await rejection(refusedCall(createClient(hooks, json([]))));
  const url = `https://api.example.com${path}`;
  expect(events).toEqual([['onEnd', expect.objectContaining({ callId: expect.any(String), url, attempt: 0 })]]);
  expect(events[0]?.[1]).toMatchObject({ error, elapsed: expect.any(Number) });
});

test('a relative base URL without a page emits one onEnd', async () => {
  const { hooks, events } = recordEvents();
  await rejection(new MemoryClient({ baseUrl: '/', auth: 'none', hooks }).listMemories());
  expect(events).toEqual([['onEnd', expect.objectContaining({ url: '/v1/memories', attempt: 0 })]]);
});

test('a call without a key has its onEnd and no other event', async () => {
  const { hooks, events } = recordEvents();
  const vaultIsClosed = new Error('The vault is closed.');
  const client = createClient(hooks, json([])).withOptions({ apiKey: () => Promise.reject(vaultIsClosed) });
  await rejection(client.listMemories());
  expect(events).toEqual([['onEnd', expect.objectContaining({ attempt: 1, error: vaultIsClosed })]]);
});

test('the duration of a response excludes the apiKey function', async () => {
  vi.useFakeTimers();
  const { hooks, events } = recordEvents();
  const late = <Value>(value: Value) => new Promise<Value>((resolve) => setTimeout(resolve, 100, value));
  const client = createClient(hooks, () => late(json([]))).withOptions({ apiKey: () => late('sk_test') });
  const list = client.listMemories();
  await vi.advanceTimersByTimeAsync(200);
  await list;
  vi.useRealTimers();
  const elapsed = events.map(([name, event]) => [name, event.elapsed]);
  expect(elapsed).toEqual([
    ['onRequest', undefined],
    ['onResponse', 100],
    ['onEnd', 200],
  ]);
});

test('hooks run in the asynchronous context of their call', async () => {
  const caller = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const look = () => void seen.push(caller.getStore());
  const hooks = { onRequest: look, onResponse: look, onRetry: look, onEnd: look };
  const client = createClient(hooks, unavailable(), json([]));
  await caller.run('Ada', () => client.listMemories());
  expect(seen).toEqual(Array.from({ length: 6 }, () => 'Ada'));
});

test('a hook that throws affects neither the call nor other hooks', async () => {
  const ended = vi.fn();
  const broken = () => {
    throw new Error('The log is full.');
  };
  const hooks = { onRequest: broken, onResponse: broken, onRetry: broken, onDrift: broken, onEnd: ended };
  const client = createClient(hooks, unavailable(), json([sampleListedMemory({ started_at: 'today' })]));
  expect(await client.listMemories()).toHaveLength(1);
  expect(ended).toHaveBeenCalledOnce();
});

test('a hook that returns an invalid promise leaves no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const NativePromise = Promise;
  vi.stubGlobal('Promise', class Patched extends NativePromise<unknown> {});
  const onRequest = () => runInNewContext("Promise.reject(new Error('The collector is down.'))");
  const onEnd = () => NativePromise.reject(new Error('The collector is down.'));
  await createClient({ onRequest, onEnd }, json([])).listMemories();
  vi.unstubAllGlobals();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('uses the hooks from the creation of the client, and their object as `this`', async () => {
  const hooks = {
    ends: 0,
    onEnd() {
      this.ends += 1;
    },
  };
  const client = createClient(hooks, json([]));
  const child = client.withOptions({ retries: 0 });
  Object.assign(hooks, { onEnd: 5, onRequest: () => expect.unreachable('It was added too late.') });
  await client.listMemories();
  await child.listMemories();
  expect(hooks.ends).toBe(2);
});
