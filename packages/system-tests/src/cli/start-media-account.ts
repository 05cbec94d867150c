import type { MemoryRecord } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import { onTestFinished } from 'vitest';
import { createRandomBytes } from '../media/random-bytes.ts';

/** The reference server with one account, whose memories have audio, and its storage. */
export interface MediaAccount {
  /** The paths of all requests, those to the storage too. */
  requests: string[];
  put(...records: MemoryRecord[]): Promise<void>;
  /** Milliseconds between 64 kB of media. */
  pace: number;
  /** Called before each answer; what it returns is answered in place of the server. */
  onRequest: (path: string) => Response | undefined;
  /** Called with each answer of the storage. */
  onMedia: (response: Response) => Response;
  /** Where it is, and the key, for the command. */
  env: Record<string, string>;
}

const userId = 'user_1';
const chunkSize = 65_536;

/** Starts the server; it ends with the test. All media have so many bytes, each others. */
export async function startMediaAccount(size: number): Promise<MediaAccount> {
  const store = createInMemoryStore();
  const { key } = await addAccount(store, userId);
  const server = await serveMemories(store, {
    source: { open: async (objectKey) => toMediaObject(mediaOf(objectKey, size), account) },
    async around(request, answer) {
      const { pathname } = new URL(request.url);
      account.requests.push(pathname);
      const instead = account.onRequest(pathname);
      if (instead) return instead;
      return pathname.startsWith('/media/') ? account.onMedia(await answer()) : answer();
    },
  });
  const account: MediaAccount = {
    requests: [],
    put: async (...records) => void (await store.putMemories(userId, records)),
    pace: 0,
    onRequest: () => undefined,
    onMedia: (response) => response,
    env: { MEMORY_API_URL: server.url, MEMORY_API_KEY: key },
  };
  onTestFinished(() => server.close());
  return account;
}

/** A memory with a transcript and audio. */
export function recordWithAudio(number: number, fields: Partial<MemoryRecord> = {}): MemoryRecord {
  const id = `mem_${number}`;
  return sampleRecord({
    id,
    media: { audio: { object_key: `${id}.wav`, content_type: 'audio/wav' } },
    ...fields,
  });
}

/** The bytes of media. */
export function mediaOf(objectKey: string, size: number): Uint8Array {
  const number = Number(/\d+/.exec(objectKey)?.[0]);
  const name = `${number} ${size}`;
  const bytes = made.get(name) ?? createRandomBytes(size, number);
  made.set(name, bytes);
  return bytes;
}

const made = new Map<string, Uint8Array>();

function toMediaObject(bytes: Uint8Array, account: MediaAccount) {
  const stream = ({ start, end } = { start: 0, end: bytes.length - 1 }) => {
    let position = start;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (position > end) return controller.close();
        controller.enqueue(bytes.slice(position, Math.min(position + chunkSize, end + 1)));
        position += chunkSize;
        if (account.pace > 0) await new Promise((resolve) => setTimeout(resolve, account.pace));
      },
    });
  };
  return { size: bytes.length, etag: '"v1"', stream };
}
