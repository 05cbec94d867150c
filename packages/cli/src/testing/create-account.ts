import { MemoryClient } from '@memory-read/client';
import type { Memory, MemoryRecord } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, createMemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { memoryRecord } from './memory-lines.ts';

/** An account on a reference server in the process of the test. */
export interface Account {
  client: MemoryClient;
  /** Serves the requests of the client. */
  fetch: (request: Request) => Promise<Response>;
  key: string;
  /** Paths of all requests, including those of media, such as `/v1/memories`. */
  requests: string[];
  put(...records: Partial<MemoryRecord>[]): Promise<void>;
  remove(memoryId: string): Promise<void>;
  /** Content of all media. */
  media: Uint8Array<ArrayBuffer>;
  /** Changes a memory in a response. `isListed` is true for the list. */
  change: (memory: Memory, isListed: boolean) => Memory;
  /** Returns a response instead of the server. */
  intercept: (path: string) => Response | undefined;
}

/** Media references of a record. */
export const audio = { audio: { object_key: 'mem_1/audio.wav', content_type: 'audio/wav' } };

export const transcript = {
  segments: [
    { speaker: 'Speaker 1', start_at: '2026-03-01T08:00:01Z', end_at: '2026-03-01T08:00:02Z', text: 'Shall we start?' },
  ],
};
export const summary = { quick_summary: 'A start.', key_takeaways: ['They start.'] };

export async function createAccount(...records: Partial<MemoryRecord>[]): Promise<Account> {
  const userId = 'user_1';
  const store = createInMemoryStore();
  const { key } = await addAccount(store, userId);
  const service = createMemoryService(store, 'https://api.example.com', {
    source: mediaFrom(() => account.media),
    mediaUrl: 'https://media.example.com/media',
  });
  const fetch = async (request: Request) => {
    const { pathname } = new URL(request.url);
    account.requests.push(pathname);
    const instead = account.intercept(pathname);
    if (instead) return instead;
    const response = await service.fetch(request);
    return pathname.startsWith('/media/') ? response : changed(response, account.change);
  };
  const account: Account = {
    client: new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: key, retries: 0, fetch }),
    fetch,
    key,
    requests: [],
    put: async (...more) => {
      await store.putMemories(
        userId,
        more.map((each) => memoryRecord({ transcript, summary, ...each })),
      );
    },
    remove: async (memoryId) => {
      await store.deleteMemory(userId, memoryId);
    },
    media: new Uint8Array(20_000).map((_byte, index) => index % 251),
    change: (memory) => memory,
    intercept: () => undefined,
  };
  await account.put(...records);
  return account;
}

async function changed(response: Response, change: Account['change']): Promise<Response> {
  if (!response.ok) return response;
  const body = (await response.json()) as Memory | Memory[];
  return Response.json(Array.isArray(body) ? body.map((each) => change(each, true)) : change(body, false));
}
