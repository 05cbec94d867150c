import { MemoryClient } from '@memory-read/client';
import { createMemoryMock, type MemoryMock } from '@memory-read/msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, test } from 'vitest';

// #region own-fetch
test.concurrent('a memory that is not yet processed', async () => {
  const { baseUrl, apiKey, fetch, memories } = createMemoryMock();
  const client = new MemoryClient({ baseUrl, apiKey, fetch });
  const { id } = memories.addProcessing();
  expect((await client.getMemory(id)).transcript).toBeNull();
});
// #endregion

test.concurrent('an outage', async () => {
  const { baseUrl, apiKey, fetch, faults } = createMemoryMock();
  const client = new MemoryClient({ baseUrl, apiKey, fetch, retries: 0 });
  faults.always({ status: 503 });
  await expect(client.listMemories()).rejects.toMatchObject({ status: 503 });
});

const server = setupServer();
beforeAll(() => server.listen());
afterAll(() => server.close());

/** Runs a test with a mock of its own. */
function withMock(run: (mock: MemoryMock) => Promise<void>): () => Promise<void> {
  return server.boundary(async () => {
    const mock = createMemoryMock();
    server.use(...mock.handlers);
    await run(mock);
  });
}

test.concurrent(
  'no memories',
  withMock(async ({ baseUrl, apiKey, memories }) => {
    for (const { id } of memories.all()) memories.remove(id);
    expect(await new MemoryClient({ baseUrl, apiKey }).listMemories()).toEqual([]);
  }),
);

test.concurrent(
  'one memory more',
  withMock(async ({ baseUrl, apiKey, memories }) => {
    memories.add();
    expect(await new MemoryClient({ baseUrl, apiKey }).listMemories()).toHaveLength(13);
  }),
);

test('20 boundaries with one base URL each get the answers of their own mock, while the others wait', async () => {
  const counts = Array.from({ length: 20 }, (_, index) => index);
  const listed: number[][] = [];
  const runs = counts.map((count) =>
    withMock(async ({ baseUrl, apiKey, memories }) => {
      for (let added = 0; added < count; added += 1) memories.add();
      const list = async () => (await new MemoryClient({ baseUrl, apiKey }).listMemories()).length;
      listed[count] = [...(await Promise.all([list(), list()])), await list()];
    })(),
  );
  await Promise.all(runs);
  expect(listed).toEqual(counts.map((count) => Array(3).fill(12 + count)));
});
