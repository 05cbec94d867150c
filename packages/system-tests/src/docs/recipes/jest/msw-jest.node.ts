import { expect, test } from '@jest/globals';
import { MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';

const mock = setupMemoryMock();

test('a memory has a transcript once it is processed', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
  const { id } = mock.memories.addProcessing();
  expect((await client.getMemory(id)).transcript).toBeNull();
  mock.memories.finishProcessing(id);
  expect((await client.getMemory(id)).transcript?.segments).toHaveLength(4);
});

test('starts with the same memories', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
  expect(await client.listMemories()).toHaveLength(12);
});
