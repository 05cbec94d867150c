import { createMemories, edgeCases } from '@memory-read/fixtures';
import {
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createInMemoryStore,
  createMemoryApi,
  type MemoryStoreAdmin,
} from '@memory-read/server';
import { type RunningServer, serve } from '@memory-read/server/node';
import { createFakeClock } from '@memory-read/server/testing';

/** The reference server whose clock stands still, so that two answers about one memory are equal. */
export interface EdgeCaseServer extends RunningServer {
  /** Of the account that holds every edge case. */
  apiKey: string;
  /** Of an account with two dozen ordinary memories. */
  otherApiKey: string;
  /** Path and query of each request, in their order. */
  targets: string[];
  store: MemoryStoreAdmin;
}

/** Starts it on a free port. */
export async function startEdgeCaseServer(): Promise<EdgeCaseServer> {
  const store = createInMemoryStore();
  const fill = async (userId: string, records: Parameters<typeof store.putMemories>[1]) => {
    const { key, keyId, keyHash } = createApiKey();
    await store.putAccount({ userId });
    await store.putMemories(userId, records);
    await store.putApiKey({ keyId, keyHash, userId });
    return key;
  };
  const apiKey = await fill('ada', Object.values(edgeCases));
  const otherApiKey = await fill('grace', createMemories({ count: 24, seed: 7, now: '2026-01-01T00:00:00Z' }));
  const mediaSigner = createHmacMediaSigner({
    baseUrl: 'https://media.example.com',
    secrets: [{ id: 'a', secret: 'sixteen-bytes-at-least' }],
  });
  const clock = createFakeClock('2026-03-02T00:00:00Z');
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner, clock });
  const targets: string[] = [];
  const server = await serve({
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      targets.push(pathname + search);
      return api.fetch(request);
    },
  });
  return { ...server, apiKey, otherApiKey, targets, store };
}
