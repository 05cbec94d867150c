import { getEventListeners } from 'node:events';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { MemoryClient } from '../index.ts';
import { rejection } from '../testing/rejection.ts';
import { json, never, type StubAnswer, stubFetch } from '../testing/stub-fetch.ts';

/** A signal like that of jsdom, of another realm or of a polyfill, which no `Request` of this realm accepts. */
class ForeignSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;

  abort(reason: unknown): void {
    Object.assign(this, { aborted: true, reason });
    this.dispatchEvent(new Event('abort'));
  }
}

const reason = new Error('The user went elsewhere.');

function createClient(...answers: StubAnswer[]) {
  const { fetch, requests } = stubFetch(...answers);
  return { client: new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch }), requests };
}

function createSignal() {
  const foreign = new ForeignSignal();
  return { foreign, signal: foreign as unknown as AbortSignal };
}

const processing = json(sampleMemory({ is_processing: true }));
const pending: Record<string, (client: MemoryClient, signal: AbortSignal) => Promise<unknown>> = {
  listMemories: (client, signal) => client.listMemories({ signal }),
  getMemory: (client, signal) => client.getMemory('mem_1', { signal }),
  waitForMemory: (client, signal) => client.waitForMemory('mem_1', { signal }),
  waitForMemories: (client, signal) => client.waitForMemories(['mem_1'], { signal }).next(),
  watchMemories: (client, signal) => client.watchMemories({ signal })[Symbol.asyncIterator]().next(),
  mediaUrl: (client, signal) => client.mediaUrl('mem_1', 'audio', { signal }),
  openMedia: (client, signal) => client.openMedia('mem_1', 'audio', { signal }),
};

test.each(Object.entries(pending))('a signal of another realm ends %s', async (_name, call) => {
  const { client, requests } = createClient(never);
  const { foreign, signal } = createSignal();
  const result = rejection(call(client, signal));
  while (requests.length === 0) await new Promise(setImmediate);
  foreign.abort(reason);
  expect(await result).toBe(reason);
  expect(requests).toHaveLength(1);
  expect(getEventListeners(foreign, 'abort')).toEqual([]);
});

test.each(Object.entries(pending))('%s does not start if a signal of another realm is aborted', async (_name, call) => {
  const { client, requests } = createClient(never);
  const { foreign, signal } = createSignal();
  foreign.abort(reason);
  expect(await rejection(call(client, signal))).toBe(reason);
  expect(requests).toHaveLength(0);
});

test('a signal of another realm ends the interval of a wait', async () => {
  const { client } = createClient(processing);
  const { foreign, signal } = createSignal();
  const onPoll = () => void setImmediate(() => foreign.abort(reason));
  expect(await rejection(client.waitForMemory('mem_1', { signal, onPoll, firstInterval: 30_000 }))).toBe(reason);
  expect(getEventListeners(foreign, 'abort')).toEqual([]);
});

test('calls with a signal of another realm that is never aborted leave no listener on it', async () => {
  const { client } = createClient(json(sampleMemory()));
  const { foreign, signal } = createSignal();
  await client.getMemory('mem_1', { signal });
  await client.waitForMemory('mem_1', { signal });
  await client.mediaUrl('mem_1', 'audio', { signal });
  expect(getEventListeners(foreign, 'abort')).toEqual([]);
});
