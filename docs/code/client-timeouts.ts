import { isTransient, MemoryClient } from '@memory-read/client';

// #region limits
const client = new MemoryClient({
  baseUrl: 'https://api.example.com',
  apiKey: process.env.MEMORY_API_KEY,
  timeout: 10_000, // one attempt
  totalTimeout: 45_000, // the whole call: all attempts and the backoff between them
  retries: 4, // attempts beyond the first
});
// #endregion

// #region one-call
const memory = await client.getMemory('mem_1', { retries: 0, timeout: 2_000 });
// #endregion
console.log(memory.id);

// #region signal
const memories = await client.listMemories({ signal: AbortSignal.timeout(5_000) });
// #endregion
console.log(memories.length);

// #region transient
const listed = await client.listMemories().catch((error: unknown) => {
  if (isTransient(error)) return undefined; // the next run of the job tries again
  throw error;
});
// #endregion
console.log(listed?.length);
