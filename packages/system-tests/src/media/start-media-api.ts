import { MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { apiKeyAuthenticator, createInMemoryStore, createMemoryApi, type MediaUrlSigner } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';

export type MediaApi = Awaited<ReturnType<typeof startMediaApi>>;

/** The reference server on a port, with memories that have audio. Default: one memory. */
export async function startMediaApi(mediaSigner: MediaUrlSigner, records: readonly Partial<MemoryRecord>[] = [{}]) {
  const store = createInMemoryStore();
  const audio = { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' };
  const account = records.map((fields) => sampleRecord({ media: { audio }, ...fields }));
  const { key } = await addAccount(store, 'user_1', account);
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  const server = await serve({ port: 0, fetch: api.fetch });
  return {
    url: server.url,
    key,
    createClient: (options?: MemoryClientOptions) => new MemoryClient({ baseUrl: server.url, apiKey: key, ...options }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
