// Reads a list, a memory and an error, with features that every runtime has.
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { toVtt } from '@memory-read/client/transcript';
import { memorySchema } from '@memory-read/contract';
import { createMemoryMock } from '@memory-read/msw/fetch';

export async function smoke() {
  const mock = createMemoryMock();
  const client = new MemoryClient({
    baseUrl: mock.baseUrl,
    apiKey: mock.apiKey,
    fetch: mock.fetch,
    retries: 0,
    dangerouslyAllowBrowser: true,
  });
  const memories = await client.listMemories();
  const memory = await client.getMemory(memories.find(({ is_processing }) => !is_processing)?.id ?? '');
  const missing = await client.getMemory('mem_unknown').catch((error) => error);
  mock.faults.next({ status: 503 });
  const fault = await client.listMemories().catch((error) => error);
  return {
    listed: memories.length,
    isValid: memorySchema['~standard'].validate(memory).issues === undefined,
    hasCues: toVtt(memory).includes(' --> '),
    errors: [missing, fault].map((error) => isMemoryApiError(error) && `${error.name} ${error.code}`),
  };
}
