import { type MemoryChange, MemoryClient, type WatchState } from '@memory-read/client';
import { apiKeyAuthenticator, createApiKey, createInMemoryStore, createMemoryApi } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';

const processing = { is_processing: true, transcript: null, summary: null };
const { transcript, summary } = sampleRecord({ id: 'mem_0' });
const result = { transcript, summary };

/** The reference server with an account whose memories are all processing, and a client of it. */
async function startAccount(...ids: string[]) {
  const store = createInMemoryStore();
  const { key, keyId, keyHash } = createApiKey();
  await store.putAccount({ userId: 'user_1' });
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
  const add = (...added: string[]) =>
    store.putMemories(
      'user_1',
      added.map((id) => ({ ...sampleRecord({ id }), ...processing })),
    );
  await add(...ids);
  const mediaSigner = { sign: () => `https://media.example.com/signed?signature=${performance.now()}` };
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const server = await serve({ fetch: api.fetch, port: 0 });
  return {
    client: new MemoryClient({ baseUrl: server.url, apiKey: key }),
    add,
    finish: (id: string) => store.finishProcessing('user_1', id, result),
    remove: (id: string) => store.deleteMemory('user_1', id),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

const soon = { firstInterval: 2, maxInterval: 4 };

test('a memory that finishes while it is waited for comes with its transcript and summary', async () => {
  await using account = await startAccount('mem_1');
  const memory = await account.client.waitForMemory('mem_1', {
    ...soon,
    onPoll: ({ attempt }) => {
      if (attempt === 2) void account.finish('mem_1');
    },
  });
  expect(memory).toMatchObject({ id: 'mem_1', is_processing: false, ...result });
});

test('of several memories that are waited for each has its own end', async () => {
  await using account = await startAccount('mem_1', 'mem_2', 'mem_3');
  const ends: string[] = [];
  const outcomes = account.client.waitForMemories(['mem_1', 'mem_2', 'mem_3', 'mem_4'], soon);
  for await (const { memoryId, status } of outcomes) {
    ends.push(`${memoryId} ${status}`);
    if (memoryId === 'mem_4') await account.remove('mem_1');
    if (memoryId === 'mem_1') await account.finish('mem_3');
    if (memoryId === 'mem_3') await account.finish('mem_2');
  }
  expect(ends).toEqual(['mem_4 not_found', 'mem_1 not_found', 'mem_3 processed', 'mem_2 processed']);
});

test('a watch over additions, ends of processing and deletions, resumed once, tells each', async () => {
  await using account = await startAccount('mem_1');
  const told: string[] = [];
  const steps: Record<string, () => Promise<unknown>> = {
    'added mem_1': () => account.finish('mem_1'),
    'processed mem_1': () => account.add('mem_2'),
    'added mem_2': () => account.remove('mem_1'),
    'missing mem_1': () => account.finish('mem_2'),
  };
  let state: WatchState | undefined;
  for (const last of ['processed mem_1', 'processed mem_2']) {
    const watch = account.client.watchMemories({ interval: 2, state });
    for await (const change of watch) {
      const name = describe(change);
      if (told.at(-1) !== name) told.push(name);
      await steps[name]?.();
      if (name === last) break;
    }
    state = JSON.parse(JSON.stringify(watch.state));
  }
  expect(told).toEqual(['added mem_1', 'processed mem_1', 'added mem_2', 'missing mem_1', 'processed mem_2']);
});

function describe(change: MemoryChange): string {
  return `${change.type} ${change.type === 'missing' ? change.memoryId : change.memory.id}`;
}
