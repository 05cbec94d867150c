// #region wait-program
import { MemoryClient } from '@memory-read/client';

const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
// #region wait-for-memory
const processed = await client.waitForMemory('mem_1', { maxWait: 600_000 });
console.log(processed.summary?.quick_summary ?? 'no summary');
// #endregion
// #endregion

// #region wait-for-memories
for await (const outcome of client.waitForMemories(['mem_1', 'mem_2'])) {
  if (outcome.status === 'processed') console.log(outcome.memory.summary?.quick_summary);
  else console.warn(outcome.memoryId, outcome.status, outcome.error.message);
}
// #endregion

const { isMemoryApiError } = await import('@memory-read/client');

// #region timeout
try {
  const client = new MemoryClient();
  const { summary } = await client.waitForMemory('mem_1', {
    maxWait: 60_000,
    onPoll: ({ attempt, elapsed, nextDelay, memory, error }) => {
      const result = error?.code ?? (memory ? 'ok' : 'no answer');
      console.log(`Poll ${attempt} after ${elapsed} ms: ${result}, next in ${nextDelay}`);
    },
  });
  console.log(summary?.quick_summary ?? 'no summary');
} catch (error) {
  if (!isMemoryApiError(error)) throw error;
  const isProcessing = error.code === 'processing_timeout' && error.memory && !error.cause;
  console.error(isProcessing ? 'It is still processing.' : error.message);
  process.exitCode = 1;
}
// #endregion
