import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw';
import { expect, test } from 'vitest';

const mock = createMemoryMock();
const accounts = Array.from({ length: 10 }, () => {
  const account = mock.accounts.add();
  const memoryIds = [1, 2, 3].map(() => mock.memories.add({}, { userId: account.userId }).id);
  return { ...account, memoryIds: memoryIds.sort() };
});
type Account = (typeof accounts)[number];
const callers = Array.from({ length: 20 }, () => accounts).flat();

const caller = new AsyncLocalStorage<Account>();
const apiKey = async () => {
  const account = caller.getStore();
  await setImmediate();
  return account?.apiKey ?? '';
};
const client = new MemoryClient({ baseUrl: mock.baseUrl, fetch: mock.fetch, apiKey });

const idsOf = async (account: Account) => (await caller.run(account, () => client.listMemories())).map(({ id }) => id);

test('200 concurrent calls of 10 accounts through one client each list their own memories only', async () => {
  const lists = await Promise.all(callers.map(idsOf));
  expect(lists.map((ids) => ids.sort())).toEqual(callers.map(({ memoryIds }) => memoryIds));
});

test('returns the data of one caller to no other caller that requests it next', async () => {
  for (const account of accounts) expect((await idsOf(account)).sort()).toEqual(account.memoryIds);
});

test('200 concurrent calls for one and the same id are answered to its owner alone, also by a second attempt', async () => {
  const owner = accounts[3];
  const memoryId = owner?.memoryIds[0] ?? '';
  mock.faults.next({ status: 503, retryAfter: 0 }, { times: 10 });
  const get = (account: Account) => caller.run(account, () => client.getMemory(memoryId));
  const outcomes = await Promise.allSettled(callers.map(get));
  expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'found' : outcome.reason.code))).toEqual(
    callers.map((account) => (account === owner ? 'found' : 'not_found')),
  );
  expect(mock.requests.filter((request) => request.memoryId === memoryId)).toHaveLength(210);
});
