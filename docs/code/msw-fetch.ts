import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';

const mock = createMemoryMock();
const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey, fetch: mock.fetch });
mock.memories.add({ name: 'Stand-up' });
console.log((await client.listMemories())[0]?.name); // Stand-up
