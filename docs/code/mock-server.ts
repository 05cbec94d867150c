// #region mock-server
import { MemoryClient } from '@memory-read/client';
import { startMockServer } from '@memory-read/msw/server';

const server = await startMockServer();
server.memories.add({ name: 'Stand-up' });
server.faults.next({ stop: { share: 0.5 }, by: 'reset' });
const client = new MemoryClient({ baseUrl: server.baseUrl, apiKey: server.apiKey });
console.log((await client.listMemories())[0]?.name); // Stand-up
console.log(server.requests.map(({ ended }) => ended)); // [ 'fault', 'sent' ]
await server.close();
// #endregion
