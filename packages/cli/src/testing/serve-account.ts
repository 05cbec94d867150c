import { MemoryClient } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, mediaFrom } from '@memory-read/test-kit/memory-service';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import { onTestFinished } from 'vitest';
import { memoryRecord } from './memory-lines.ts';

/** Media references of a record. */
export const audio = { audio: { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' } };

export const transcript = {
  segments: [
    { speaker: 'Speaker 1', start_at: '2026-03-01T08:00:01Z', end_at: '2026-03-01T08:00:02Z', text: 'Shall we start?' },
  ],
};
export const summary = { quick_summary: 'A start.', key_takeaways: ['They start.'] };

/** Serves an account on a port until the test ends. */
export async function serveAccount(...records: Partial<MemoryRecord>[]) {
  const userId = 'user_1';
  const store = createInMemoryStore();
  const { key } = await addAccount(store, userId);
  const server = await serveMemories(store, {
    source: mediaFrom(() => account.media),
    async around(request, answer) {
      const { pathname } = new URL(request.url);
      account.requests.push(pathname);
      return account.intercept(pathname) ?? answer();
    },
  });
  onTestFinished(() => server.close());
  const account = {
    /** Paths of all requests, also those of media. */
    requests: [] as string[],
    /** Content of all media. */
    media: new Uint8Array(20_000).map((_byte, index) => index % 251),
    /** Returns a response instead of the server. */
    intercept: (_path: string): Response | undefined => undefined,
    put: async (...more: Partial<MemoryRecord>[]) => {
      await store.putMemories(
        userId,
        more.map((each) => memoryRecord(each)),
      );
    },
    remove: async (memoryId: string) => void (await store.deleteMemory(userId, memoryId)),
    close: () => server.close(),
    url: server.url,
    client: new MemoryClient({ baseUrl: server.url, apiKey: key, retries: 0 }),
    /** Environment of the command. */
    env: { MEMORY_API_URL: server.url, MEMORY_API_KEY: key },
  };
  await account.put(...records);
  return account;
}
