// #region first-lines
import { MemoryClient } from '@memory-read/client';

const client = new MemoryClient(); // MEMORY_API_URL, MEMORY_API_KEY
const memories = await client.listMemories();
for (const { id, name } of memories) console.log(id, name);
const { summary, transcript } = await client.getMemory('mem_1');
console.log(summary?.quick_summary, transcript?.segments);
// #endregion
