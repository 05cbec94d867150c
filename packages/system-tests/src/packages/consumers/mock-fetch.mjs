// A project without MSW calls the mock through `mock.fetch`.
import { strict as assert } from 'node:assert';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';

for (const name of ['msw', '@memory-read/msw']) await assert.rejects(import(name), { code: 'ERR_MODULE_NOT_FOUND' });

const mock = createMemoryMock();
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch, retries: 0 });
const { id } = mock.memories.addProcessing({ name: 'Stand-up' }, { finishAfter: 60_000 });
mock.clock.advance(60_000);
assert.equal((await client.getMemory(id)).is_processing, false);
mock.faults.next({ status: 503 });
await assert.rejects(client.listMemories(), (error) => isMemoryApiError(error) && error.status === 503);
const { body } = await client.openMedia(id, 'audio');
assert.ok((await new Response(body).arrayBuffer()).byteLength > 1000);
console.log('mock.fetch works');
