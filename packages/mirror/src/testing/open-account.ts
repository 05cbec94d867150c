import { MemoryClient } from '@memory-read/client';
import type { Memory, MemoryRecord } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount, createMemoryService, mediaFrom } from '@memory-read/test-kit/memory-service';
import { sampleMemory, sampleRecord } from '@memory-read/test-kit/sample-memory';

/** Media references of a record. */
export const audio = { audio: { object_key: 'mem_1/talk.mp3', content_type: 'audio/mpeg' } };

/** Returns a record with a transcript of these texts. */
export function saidRecord(id: string, texts: string[] = ['Good morning.'], overrides: Partial<MemoryRecord> = {}) {
  const [segment] = sampleMemory().transcript?.segments ?? [];
  if (segment === undefined) throw new TypeError('The sample has no segment.');
  return sampleRecord({ id, transcript: { segments: texts.map((text) => ({ ...segment, text })) }, ...overrides });
}

/** An account on a reference server in the process of the test. */
export interface TestAccount {
  /** Paths of all requests, also those of media. */
  requests: string[];
  /** Content of all media. */
  media: Uint8Array<ArrayBuffer>;
  /** Returns a response instead of the server. */
  intercept(path: string): Response | undefined;
  /** Changes a memory in a response. */
  change(memory: Memory, isListed: boolean): Memory;
  put(...records: MemoryRecord[]): Promise<void>;
  remove(memoryId: string): Promise<void>;
  fetch(request: Request): Promise<Response>;
  clientOf(baseUrl: string): MemoryClient;
}

export async function openAccount(): Promise<TestAccount> {
  const userId = 'user_1';
  const store = createInMemoryStore();
  const { key } = await addAccount(store, userId);
  const service = createMemoryService(store, 'https://api.example.com', {
    source: mediaFrom(() => account.media),
    mediaUrl: 'https://media.example.com/media',
  });
  const account: TestAccount = {
    requests: [],
    media: new Uint8Array(20_000).map((_byte, index) => index % 251),
    intercept: () => undefined,
    change: (memory) => memory,
    put: async (...records) => {
      await store.putMemories(userId, records);
    },
    remove: async (memoryId) => {
      await store.deleteMemory(userId, memoryId);
    },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      account.requests.push(pathname);
      const instead = account.intercept(pathname);
      if (instead !== undefined) return instead;
      const response = await service.fetch(request);
      if (pathname.startsWith('/media/') || !response.ok) return response;
      const body = (await response.json()) as Memory | Memory[];
      const isList = Array.isArray(body);
      return Response.json(isList ? body.map((each) => account.change(each, true)) : account.change(body, false));
    },
    clientOf: (baseUrl) => new MemoryClient({ baseUrl, apiKey: key, retries: 0, fetch: account.fetch }),
  };
  return account;
}
