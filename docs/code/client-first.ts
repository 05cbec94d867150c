import { MemoryClient } from '@memory-read/client';
import { toText } from '@memory-read/client/transcript';

const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
const memories = await client.listMemories();
for (const { id, name, started_at } of memories) console.log(started_at, id, name);
const newest = memories.find(({ is_processing }) => !is_processing);
if (newest) console.log(toText(await client.getMemory(newest.id)));
