import { MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import {
  apiKeyAuthenticator,
  createApiKey,
  createInMemoryStore,
  createMemoryApi,
  type MediaUrlSigner,
} from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createRecord } from '../server/postgres/test-records.ts';

/** The object key of the audio of `mem_1`. */
export const audioKey = 'mem_1/audio.wav';

/** The reference server on a port, with one memory that has audio. */
export interface MediaApi extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  /** How often the memory was read. */
  readonly reads: () => number;
  createClient(options?: MemoryClientOptions): MemoryClient;
}

export async function startMediaApi(
  mediaSigner: MediaUrlSigner,
  clock: { now(): Date } = { now: () => new Date() },
): Promise<MediaApi> {
  const store = createInMemoryStore();
  const { key, keyId, keyHash } = createApiKey();
  const audio = { object_key: audioKey, content_type: 'audio/wav' };
  await store.putAccount({ userId: 'user_1' });
  await store.putMemories('user_1', [createRecord({ id: 'mem_1', media: { audio } })]);
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
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
    reads: () => reads,
    createClient: (options) => new MemoryClient({ baseUrl: server.url, apiKey: key, ...options }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
