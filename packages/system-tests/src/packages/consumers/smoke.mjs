// Makes each call of the client and reads two errors, with features that every runtime has.
import { isMemoryApiError } from '@memory-read/client';
import { toVtt } from '@memory-read/client/transcript';
import { memorySchema } from '@memory-read/contract';
import { createMemoryMock } from '@memory-read/msw/fetch';

export async function smoke(openClient) {
  const mock = createMemoryMock();
  const { calls } = openClient({
    baseUrl: mock.baseUrl,
    apiKey: mock.apiKey,
    fetch: mock.fetch,
    retries: 0,
    dangerouslyAllowBrowser: true,
  });
  const memories = await calls.listMemories();
  const { id } = memories.find(({ is_processing, audio_url }) => !is_processing && audio_url) ?? {};
  const memory = await calls.getMemory(id);
  const { body, size } = await calls.openMedia(id, 'audio');
  const missing = await calls.getMemory('mem_unknown').catch((error) => error);
  mock.faults.next({ status: 503 });
  const fault = await calls.listMemories().catch((error) => error);
  return {
    listed: memories.length,
    isValid: memorySchema['~standard'].validate(memory).issues === undefined,
    hasCues: toVtt(memory).includes(' --> '),
    isSame: (await calls.waitForMemory(id)).id === id,
    outcome: (await calls.waitForMemories([id]).next()).value?.status,
    change: await firstOf(calls.watchMemories()),
    hasUrl: (await calls.mediaUrl(id, 'audio'))?.url.startsWith(mock.baseUrl),
    isWhole: (await new Response(body).arrayBuffer()).byteLength === size,
    errors: [missing, fault].map((error) => isMemoryApiError(error) && `${error.name} ${error.code}`),
  };
}

/** The report of `smoke`, wherever it runs. */
export const smokeReport = {
  listed: 12,
  isValid: true,
  hasCues: true,
  isSame: true,
  outcome: 'processed',
  change: 'added',
  hasUrl: true,
  isWhole: true,
  errors: ['MemoryNotFoundError not_found', 'ServerError server'],
};

async function firstOf(watch) {
  for await (const { type } of watch) return type;
}
