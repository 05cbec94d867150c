import { MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import { apiKeyAuthenticator, createInMemoryStore, createMemoryApi, type MediaUrlSigner } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

/** The object key of the audio of `mem_1`. */
export const audioKey = 'mem_1/audio.wav';

export type MediaApi = Awaited<ReturnType<typeof startMediaApi>>;

/** The reference server on a port, with one memory that has audio. */
export async function startMediaApi(mediaSigner: MediaUrlSigner, clock = { now: () => new Date() }) {
  const store = createInMemoryStore();
  const audio = { object_key: audioKey, content_type: 'audio/wav' };
  const { key } = await addAccount(store, 'user_1', [sampleRecord({ media: { audio } })]);
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
    /** How often the memory was read. */
    reads: () => reads,
    createClient: (options?: MemoryClientOptions) => new MemoryClient({ baseUrl: server.url, apiKey: key, ...options }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
