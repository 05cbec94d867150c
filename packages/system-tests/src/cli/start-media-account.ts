import type { MemoryRecord } from '@memory-read/contract';
import { createInMemoryStore } from '@memory-read/server';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';
import { onTestFinished } from 'vitest';
import { createRandomBytes } from '../media/random-bytes.ts';

export type MediaAccount = Awaited<ReturnType<typeof startMediaAccount>>;

const userId = 'user_1';
const chunkSize = 65_536;

/** Starts the reference server with one account, and its storage with media of this size. Both end with the test. */
export async function startMediaAccount(size: number) {
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
  onTestFinished(() => server.close());
  const account = {
    /** Paths of all requests, including those to the storage. */
    requests: [] as string[],
    put: async (...records: MemoryRecord[]) => void (await store.putMemories(userId, records)),
    /** Milliseconds between 64 kB of media. */
    pace: 0,
    /** Called before each response. If it returns a response, that one is sent instead. */
    onRequest: (_path: string): Response | undefined => undefined,
    /** Called with each response of the storage. */
    onMedia: (response: Response): Response | Promise<Response> => response,
    /** Environment of the command, with the base URL and the key. */
    env: { MEMORY_API_URL: server.url, MEMORY_API_KEY: key },
  };
  return account;
}

/** A memory with a transcript and audio. */
export function recordWithAudio(number: number, fields: Partial<MemoryRecord> = {}): MemoryRecord {
  const id = `mem_${number}`;
  const media = { audio: { object_key: `${id}.wav`, content_type: 'audio/wav' } };
  return sampleRecord({ id, media, ...fields });
}

/** Returns the bytes of the media. */
export function mediaOf(objectKey: string, size: number): Uint8Array {
  const number = Number(/\d+/.exec(objectKey)?.[0]);
  const name = `${number} ${size}`;
  const bytes = made.get(name) ?? createRandomBytes(size, number);
  made.set(name, bytes);
  return bytes;
}

const made = new Map<string, Uint8Array>();

function toMediaObject(bytes: Uint8Array, account: { pace: number }) {
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
