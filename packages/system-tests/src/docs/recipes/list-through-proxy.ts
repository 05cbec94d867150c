import { MemoryClient } from '@memory-read/client';
import { fetchThrough } from '@memory-read/guide-code/fetch-through';
import { ProxyAgent } from 'undici';

// Lists memories through the proxy in the first argument. The URL and the key of the API come from the environment.
const proxy = new ProxyAgent(process.argv[2] ?? '');
const memories = await new MemoryClient({ fetch: fetchThrough(proxy) }).listMemories();
console.log(memories.length);
await proxy.close();
