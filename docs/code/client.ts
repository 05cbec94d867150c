import { isMemoryApiError, MemoryClient, responseInfo } from '@memory-read/client';

// #region memory-client
const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: process.env.MEMORY_API_KEY });
// #endregion

// #region list-memories
const memories = await client.listMemories();
for (const { id, name, started_at } of memories) console.log(started_at, id, name);
// #endregion

// #region get-memory
const { summary, transcript } = await client.getMemory('mem_1');
console.log(summary?.quick_summary);
for (const { speaker, text } of transcript?.segments ?? []) console.log(`${speaker}: ${text}`);
// #endregion

// #region with-options
const nightly = client.withOptions({ totalTimeout: 600_000, retries: 5 });
const sameMemories = await nightly.listMemories();
// #endregion
console.log(sameMemories.length);

// #region response-info
const memory = await client.getMemory('mem_1');
console.log(responseInfo(memory)?.requestId);
// #endregion

// #region is-memory-api-error
const found = await client.getMemory('mem_0').catch((error: unknown) => {
  if (isMemoryApiError(error) && error.code === 'not_found') return undefined;
  throw error;
});
// #endregion
console.log(found);

// #region hooks
const observed = client.withOptions({
  hooks: {
    onRetry: ({ attempt, delay, error }) => console.warn(`Attempt ${attempt}: ${error.code}, again in ${delay} ms`),
    onEnd: ({ operation, attempt }) => console.log(`${operation} ended with attempt ${attempt}`),
  },
});
// #endregion
await observed.listMemories();
