import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { archiveMemories } from './archive-memories.ts';

const folder = process.argv[2] ?? 'memories';
try {
  const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
  const { archived, left } = await archiveMemories(client, folder);
  console.log(`${archived} memories are in ${folder}`);
  for (const { memoryId, reason } of left) console.error(`${memoryId} is left for the next run. ${reason}`);
  if (left.length > 0) process.exitCode = 1;
} catch (error) {
  if (!isMemoryApiError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
