import { MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const mock = setupMemoryMock({ hooks: { beforeAll, afterEach, afterAll } });

test('a project with Vitest works with the packed packages', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, retries: 0 });
  expect(await client.listMemories()).toHaveLength(12);
  await expect(client.getMemory('mem_unknown')).rejects.toMatchObject({ code: 'not_found' });
});
