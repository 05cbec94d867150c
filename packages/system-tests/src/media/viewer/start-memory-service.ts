import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { createBackend } from '@memory-read/example-backend-for-frontend';
import { createInMemoryStore } from '@memory-read/server';
import { createDirectoryMediaSource, serve } from '@memory-read/server/node';
import { createFakeClock, type FakeClock } from '@memory-read/server/testing';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { serveMemories } from '@memory-read/test-kit/serve-memories';

const USER_ID = 'user_1';

/** The reference server with media on disk, and the backend that holds a key of it and serves the pages. */
export interface MemoryService extends AsyncDisposable {
  /** Where the pages are. */
  url: string;
  apiUrl: string;
  apiKey: string;
  keyId: string;
  /** Of the reference server; its media URLs expire by it. */
  clock: FakeClock;
  store: ReturnType<typeof createInMemoryStore>;
  put(record: MemoryRecord): Promise<void>;
}

/** Starts both on free ports; media are given by their object keys. */
export async function startMemoryService(pages: string, media: Record<string, Uint8Array>): Promise<MemoryService> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-media-'));
  for (const [objectKey, bytes] of Object.entries(media)) writeFileSync(join(folder, objectKey), bytes);
  const clock = createFakeClock(new Date());
  const store = createInMemoryStore();
  const { key, keyId } = await addAccount(store, USER_ID);
  const api = await serveMemories(store, { source: createDirectoryMediaSource({ path: folder }), clock });
  const app = createBackend({ apiUrl: api.url, apiKey: key, pages, onError: () => {} });
  const backend = await serve({ fetch: (request) => app.fetch(request), port: 0, onError: () => {} });
  return {
    url: backend.url,
    apiUrl: api.url,
    apiKey: key,
    keyId,
    clock,
    store,
    put: async (record) => void (await store.putMemories(USER_ID, [record])),
    [Symbol.asyncDispose]: async () => {
      await backend.close();
      await api.close();
      rmSync(folder, { recursive: true });
    },
  };
}
