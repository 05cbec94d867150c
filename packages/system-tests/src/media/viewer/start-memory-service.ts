import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { createBackend } from '@memory-read/example-backend-for-frontend';
import {
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createInMemoryStore,
  createMediaHost,
  createMemoryApi,
} from '@memory-read/server';
import { createDirectoryMediaSource, serve } from '@memory-read/server/node';
import { createFakeClock, type FakeClock } from '@memory-read/server/testing';

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
  const { key, keyId, keyHash } = createApiKey();
  await store.putAccount({ userId: USER_ID });
  await store.putApiKey({ keyId, keyHash, userId: USER_ID });
  const api = await serve({ fetch: (request) => answer(request), port: 0 });
  const secrets = [{ id: 'test', secret: 'thirty-two-bytes-that-none-guess' }];
  const mediaSigner = createHmacMediaSigner({ baseUrl: `${api.url}/media`, secrets });
  const memoryApi = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner, clock });
  const source = createDirectoryMediaSource({ path: folder });
  const mediaHost = createMediaHost({ source, secrets, basePath: '/media', clock });
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

  function answer(request: Request): Promise<Response> {
    return new URL(request.url).pathname.startsWith('/media/') ? mediaHost.fetch(request) : memoryApi.fetch(request);
  }
}
