// #region http
import { MemoryClient } from '@memory-read/client';
import { createLiveSource } from '@memory-read/mcp';
import { serveMcpHttp } from '@memory-read/mcp/node';

const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
const server = await serveMcpHttp({ source: createLiveSource(client) });
console.log(`The tools are at ${server.url}`);
// #endregion
await server.close();
