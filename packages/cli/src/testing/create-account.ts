import { MemoryClient } from '@memory-read/client';
import type { MemoryRecord } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, createMemoryService } from '@memory-read/test-kit/memory-service';
import { memoryRecord } from './memory-lines.ts';

/** Media references of a record. */
export const audio = { audio: { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' } };

export const transcript = {
  segments: [
    { speaker: 'Speaker 1', start_at: '2026-03-01T08:00:01Z', end_at: '2026-03-01T08:00:02Z', text: 'Shall we start?' },
  ],
};
export const summary = { quick_summary: 'A start.', key_takeaways: ['They start.'] };

/** Returns a client of an account on a reference server in the process of the test. */
export async function createAccount(...records: Partial<MemoryRecord>[]) {
  const userId = 'user_1';
  const store = createInMemoryStore();
  const { key } = await addAccount(store, userId);
  await store.putMemories(
    userId,
    records.map((each) => memoryRecord({ transcript, summary, ...each })),
  );
  const service = createMemoryService(store, 'https://api.example.com');
  const requests: string[] = [];
  const fetch = async (request: Request) => {
    requests.push(new URL(request.url).pathname);
    return service.fetch(request);
  };
  return {
    client: new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: key, retries: 0, fetch }),
    /** Paths of all requests, such as `/v1/memories`. */
    requests,
    remove: (memoryId: string) => store.deleteMemory(userId, memoryId),
  };
}
