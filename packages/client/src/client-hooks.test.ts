import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { MemoryClient, type MemoryClientHooks } from './index.ts';
import { rejection } from './testing/rejection.ts';
import { sampleListedMemory, sampleMemory } from './testing/sample-memory.ts';
import { json, type StubAnswer, stubFetch } from './testing/stub-fetch.ts';

const names = ['onRequest', 'onResponse', 'onRetry', 'onEnd', 'onDrift'] as const;

function createClient(hooks: MemoryClientHooks, ...answers: StubAnswer[]) {
  const { fetch } = stubFetch(...answers);
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch, hooks });
}

function recordEvents() {
  const events: [name: string, event: Record<string, unknown>][] = [];
  const hooks = Object.fromEntries(names.map((name) => [name, (event: object) => events.push([name, { ...event }])]));
  return { hooks: hooks as MemoryClientHooks, events };
}

const unavailable = () => json({}, { status: 503, headers: { 'retry-after': '0' } });

test('a call is told from its first request to its one end, under one id', async () => {
  const { hooks, events } = recordEvents();
  const ok = json(sampleMemory(), { headers: { 'x-request-id': 'req_2' } });
  await createClient(hooks, unavailable(), ok).getMemory('mem_1');

  const call = { callId: expect.any(String), operation: 'getMemory', url: 'https://api.example.com/v1/memories/mem_1' };
  const elapsed = expect.any(Number);
  expect(events).toEqual([
    ['onRequest', { ...call, attempt: 1 }],
    ['onResponse', { ...call, attempt: 1, status: 503, requestId: undefined, elapsed }],
    ['onRetry', { ...call, attempt: 1, delay: 0, error: expect.objectContaining({ code: 'server' }) }],
    ['onRequest', { ...call, attempt: 2 }],
    ['onResponse', { ...call, attempt: 2, status: 200, requestId: 'req_2', elapsed }],
    ['onEnd', { ...call, attempt: 2, elapsed }],
  ]);
  expect(new Set(events.map(([, { callId }]) => callId)).size).toBe(1);
});

test('each call has an id of its own', async () => {
  const { hooks, events } = recordEvents();
  const client = createClient(hooks, json([]));
  await client.listMemories();
  await client.listMemories();
  expect(new Set(events.map(([, { callId }]) => callId)).size).toBe(2);
});

test('onEnd tells the error that the call rejects with', async () => {
  const { hooks, events } = recordEvents();
  const error = await rejection(createClient(hooks, json({}, { status: 401 })).listMemories());
  const ends = events.filter(([name]) => name === 'onEnd');
  expect(ends).toHaveLength(1);
  expect(ends[0]?.[1].error).toBe(error);
});

test('onEnd tells a broken structure too', async () => {
  const { hooks, events } = recordEvents();
  const error = await rejection(createClient(hooks, json({})).getMemory('mem_1'));
  expect(events.at(-1)).toEqual(['onEnd', expect.objectContaining({ error })]);
});

test('what is refused before any request is no call and has no events', async () => {
  const { hooks, events } = recordEvents();
  await rejection(createClient(hooks, json([])).getMemory('..'));
  expect(events).toEqual([]);
});

test('a hook that throws breaks nothing, and the other hooks are called all the same', async () => {
  const ended = vi.fn();
  const broken = () => {
    throw new Error('The log is full.');
  };
  const hooks = { onRequest: broken, onResponse: broken, onRetry: broken, onDrift: broken, onEnd: ended };
  const client = createClient(hooks, unavailable(), json([sampleListedMemory({ started_at: 'today' })]));
  expect(await client.listMemories()).toHaveLength(1);
  expect(ended).toHaveBeenCalledOnce();
});

test('a hook that rejects leaves no unhandled rejection', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const hooks = { onEnd: () => Promise.reject(new Error('The collector is down.')) };
  await createClient(hooks, json([])).listMemories();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a hook that gives back what only looks like a promise leaves no unhandled rejection', async () => {
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

test('hooks are called as methods of the object that was given', async () => {
  const log = {
    lines: [] as string[],
    onEnd(event: { operation: string }) {
      this.lines.push(event.operation);
    },
  };
  await createClient(log, json([])).listMemories();
  expect(log.lines).toEqual(['listMemories']);
});
