import { afterEach, expect, jest, test } from '@jest/globals';
import { MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';

const mock = setupMemoryMock();
afterEach(() => void jest.useRealTimers());

test('a memory has a transcript once it is processed', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
  const { id } = mock.memories.addProcessing();
  expect((await client.getMemory(id)).transcript).toBeNull();
  mock.memories.finishProcessing(id);
  expect((await client.getMemory(id)).transcript?.segments).toHaveLength(4);
});

test('a call ends if the server does not respond', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  mock.faults.next('stall');
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, retries: 0 });
  const request = mock.nextRequest();
  const ended = expect(client.listMemories()).rejects.toMatchObject({ code: 'timeout' });
  await request;
  await jest.advanceTimersByTimeAsync(30_000);
  await ended;
});
