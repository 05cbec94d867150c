import { MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

// #region setup-memory-mock
const mock = setupMemoryMock({ hooks: { beforeAll, afterEach, afterAll } });

test('the newest memory comes first', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
  mock.memories.add({ name: 'Stand-up' });
  expect((await client.listMemories())[0]?.name).toBe('Stand-up');
});
// #endregion
