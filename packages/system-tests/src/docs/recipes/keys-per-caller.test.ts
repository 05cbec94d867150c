import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { MemoryClient } from '@memory-read/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from './start-test-api.ts';

const userIds = Array.from({ length: 10 }, (_, index) => `user_${index}`);
const calls = Array.from({ length: 200 }, (_, index) => userIds[index % userIds.length] ?? '');
const caller = new AsyncLocalStorage<string>();

const visits = new Map<string, number>();
let api: TestApi;
let client: MemoryClient;

beforeAll(async () => {
  api = await startTestApi({ userIds, intercept: failFirst });
  client = new MemoryClient({
    baseUrl: api.url,
    apiKey: async () => {
      const userId = caller.getStore();
      await setImmediate();
      return api.keyOf(userId);
    },
  });
});
afterAll(() => api.close());

test('200 concurrent calls of 10 accounts through one client each list their own memories only', async () => {
  const lists = await Promise.all(calls.map((userId) => caller.run(userId, () => client.listMemories())));
  expect(lists.map(([first]) => first?.user_id)).toEqual(calls);
  for (const [index, list] of lists.entries()) {
    expect(list.map(({ id }) => id).sort()).toEqual([1, 2, 3].map((number) => `${calls[index]}-${number}`));
  }
});

test('200 concurrent calls for one and the same id are answered to its owner alone, also by a second attempt', async () => {
  const outcomes = await Promise.all(
    calls.map((userId) =>
      caller.run(userId, () =>
        client.getMemory('user_3-1').then(
          (memory) => memory.user_id,
          (error: { code: string }) => error.code,
        ),
      ),
    ),
  );
  expect(outcomes).toEqual(calls.map((userId) => (userId === 'user_3' ? 'user_3' : 'not_found')));
  expect([...visits.values()]).toEqual(userIds.map(() => 21));
});

test('what one caller was given is given to no other, who asks for it next', async () => {
  const first = await caller.run('user_1', () => client.listMemories());
  const second = await caller.run('user_2', () => client.listMemories());
  const again = await caller.run('user_1', () => client.listMemories());
  expect([first, second, again].map(([memory]) => memory?.user_id)).toEqual(['user_1', 'user_2', 'user_1']);
});

/** The first request of each key for the memory fails, so that another attempt asks for the key again. */
function failFirst({ url, headers }: Request): Response | undefined {
  if (!url.endsWith('/user_3-1')) return undefined;
  const key = headers.get('authorization') ?? '';
  visits.set(key, (visits.get(key) ?? 0) + 1);
  if (visits.get(key) !== 1) return undefined;
  return Response.json({}, { status: 503, headers: { 'retry-after': '0' } });
}
