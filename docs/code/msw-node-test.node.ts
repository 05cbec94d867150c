import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { setupMemoryMock } from '@memory-read/msw/node';

const mock = setupMemoryMock({ hooks: { beforeAll: before, afterEach, afterAll: after } });

test('reports a deactivated key as invalid', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
  mock.accounts.deactivateKey(mock.apiKey);
  const error = await client.listMemories().catch((reason: unknown) => reason);
  assert.ok(isMemoryApiError(error) && error.code === 'authentication');
  assert.equal(error.reason, 'invalid_key');
});

test('starts with the same memories', async () => {
  const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
  assert.equal((await client.listMemories()).length, 12);
});
