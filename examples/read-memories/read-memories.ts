import { isMemoryApiError, MemoryClient } from '@memory-read/client';

const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
const memories = await client.listMemories();
for (const { id, name, started_at } of memories) console.log(started_at, id, name);

const newest = memories.find((memory) => !memory.is_processing);
const memory = await client.getMemory(newest?.id ?? 'mem_none').catch((error: unknown) => {
  if (isMemoryApiError(error) && error.code === 'not_found') return undefined;
  throw error;
});
for (const { speaker, text } of memory?.transcript?.segments ?? []) console.log(`${speaker}: ${text}`);
