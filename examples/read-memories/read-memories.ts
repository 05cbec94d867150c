import { MemoryClient } from '@memory-read/client';
import { toText } from '@memory-read/client/transcript';

const client = new MemoryClient(); // MEMORY_API_URL, MEMORY_API_KEY
const memories = await client.listMemories();
for (const { id, name } of memories) console.log(id, name);
const newest = memories.find(({ is_processing }) => !is_processing);
if (newest) console.log(toText(await client.getMemory(newest.id)));
