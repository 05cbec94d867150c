import { MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { apiKeyAuthenticator, createInMemoryStore, createMemoryApi, type MediaUrlSigner } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

/** The object key of the audio of `mem_1`. */
export const audioKey = 'mem_1/audio.wav';

export type MediaApi = Awaited<ReturnType<typeof startMediaApi>>;

interface MediaApiOptions {
  readonly clock?: { now(): Date };
  /** Fields of the memories, besides their audio. Default: one memory. */
  readonly records?: readonly Partial<MemoryRecord>[];
}

/** The reference server on a port, with memories that have audio. */
export async function startMediaApi(mediaSigner: MediaUrlSigner, { clock, records = [{}] }: MediaApiOptions = {}) {
  const store = createInMemoryStore();
  const audio = { object_key: audioKey, content_type: 'audio/wav' };
  const account = records.map((fields) => sampleRecord({ media: { audio }, ...fields }));
  const { key } = await addAccount(store, 'user_1', account);
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner, clock });
  let reads = 0;
  const server = await serve({
    port: 0,
    fetch: (request) => {
      reads += 1;
      return api.fetch(request);
    },
  });
  return {
    url: server.url,
    key,
    /** Number of reads of the memory. */
    reads: () => reads,
    createClient: (options?: MemoryClientOptions) => new MemoryClient({ baseUrl: server.url, apiKey: key, ...options }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
