import type { MemoryRecord } from '@memory-read/contract';
import { createBackend } from '@memory-read/example-backend-for-frontend';
import { createInMemoryStore } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createFakeClock } from '@memory-read/server/testing';
import { addAccount, mediaFrom } from '@memory-read/test-kit/memory-service';
import { serveMemories } from '@memory-read/test-kit/serve-memories';

const USER_ID = 'user_1';

export type MemoryService = Awaited<ReturnType<typeof startMemoryService>>;

/** The reference server with media by their keys, and the backend that holds a key of it and serves the pages. */
export async function startMemoryService(pages: string, media: Record<string, Uint8Array<ArrayBuffer>>) {
  const clock = createFakeClock(new Date());
  const store = createInMemoryStore();
  const { key, keyId } = await addAccount(store, USER_ID);
  const api = await serveMemories(store, { source: mediaFrom((objectKey) => media[objectKey]), clock });
  const app = createBackend({ apiUrl: api.url, apiKey: key, pages, onError: () => {} });
  const backend = await serve({ fetch: (request) => app.fetch(request), port: 0, onError: () => {} });
  return {
    /** Where the pages are. */
    url: backend.url,
    apiUrl: api.url,
    apiKey: key,
    keyId,
    /** Of the reference server; its media URLs expire by it. */
    clock,
    store,
    put: async (record: MemoryRecord) => void (await store.putMemories(USER_ID, [record])),
    [Symbol.asyncDispose]: async () => {
      await backend.close();
      await api.close();
    },
  };
}
