import type { MemoryRecord } from '@memory-read/contract';
import {
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createInMemoryStore,
  createMediaHost,
  createMemoryApi,
  type MemoryStore,
} from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createFakeClock } from '@memory-read/server/testing';

/** The server that answers all these requests, and what happened to it. */
export interface ReferenceServer {
  port: number;
  /** Of an account with memories. */
  key: string;
  /** Of an account with a list of 3,000. */
  longKey: string;
  /** Of accounts whose store is broken, in the ways that their names say. */
  brokenKeys: { halfWay: string; foreignRow: string };
  /** Path and query of a media URL whose hour is over. */
  expiredMedia: string;
  errors: unknown[];
  close(): Promise<void>;
}

const secrets = [{ id: 'a', secret: 'sixteen-bytes-at-least' }];
const wav = { object_key: 'a b/ü.wav', content_type: 'audio/wav' };

export const oddId = 'a/b ü%2F?#😀';

const record: MemoryRecord = {
  id: 'mem_1',
  name: 'A walk',
  started_at: '2026-03-01T10:00:00.1239+02:00',
  ended_at: '2026-03-01T09:00:00Z',
  is_processing: false,
  duration_seconds: 3600,
  transcript: {
    segments: [
      { speaker: 'Stimme \0\ud800', start_at: '2026-03-01T08:00:01', end_at: '2026-03-01T08:00:02Z', text: '' },
    ],
  },
  summary: { quick_summary: 'One.', key_takeaways: [] },
  media: { audio: wav },
};
const sameStart = { ...record, started_at: '2026-02-01T00:00:00Z', transcript: null, summary: null, media: {} };
const records = [
  record,
  { ...sameStart, id: '\ufffd', started_at: '2026-02-01T01:00:00+01:00' },
  { ...sameStart, id: '😀' },
  { ...sameStart, id: oddId, started_at: '2026-01-01T00:00:00Z' },
  { ...sameStart, id: '😀'.repeat(256), started_at: '2025-01-01T00:00:00Z' },
];

export async function startReferenceServer(requestTimeout?: number): Promise<ReferenceServer> {
  const memory = createInMemoryStore();
  const createKey = async (userId: string) => {
    const { key, keyId, keyHash } = createApiKey();
    await memory.putAccount({ userId });
    await memory.putApiKey({ keyId, keyHash, userId });
    return key;
  };
  const [key, longKey] = [await createKey('ada'), await createKey('grace')];
  const brokenKeys = { halfWay: await createKey('half way'), foreignRow: await createKey('foreign row') };
  await memory.putMemories('ada', records);
  await memory.putMemories(
    'grace',
    Array.from({ length: 3_000 }, (_, index) => ({ ...sameStart, id: `long_${index}` })),
  );

  const clock = createFakeClock('2026-03-02T00:00:00Z');
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const mediaSigner = createHmacMediaSigner({ baseUrl: 'http://localhost/media', secrets });
  const store = breakFor(memory);
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(memory), mediaSigner, clock, onError });
  const source = {
    open: async () => ({ size: 3, etag: '"1"', stream: () => new Response('abc').body ?? new ReadableStream() }),
  };
  const media = createMediaHost({ source, secrets, basePath: '/media', clock, onError });
  const isMedia = (request: Request) => new URL(request.url).pathname.startsWith('/media/');
  const server = await serve({
    fetch: (request) => (isMedia(request) ? media : api).fetch(request),
    port: 0,
    requestTimeout,
    onError,
  });
  const expired = mediaSigner.sign({
    objectKey: 'a',
    contentType: 'audio/wav',
    expiresAt: new Date('2026-03-01T23:59:59Z'),
  });
  const expiredMedia = expired.slice('http://localhost'.length);
  return { port: server.port, key, longKey, brokenKeys, expiredMedia, errors, close: server.close };
}

/** The store as it is, but for the accounts that are named after their trouble. */
function breakFor(memory: MemoryStore): MemoryStore {
  return {
    getMemory: ({ userId, ...query }) =>
      memory.getMemory({ ...query, userId: userId === 'foreign row' ? 'ada' : userId }),
    async *listMemories({ userId, signal }) {
      for await (const row of memory.listMemories({ userId: userId === 'half way' ? 'grace' : userId, signal })) {
        if (userId === 'half way' && row.id === 'long_150') throw new Error('the disk is gone');
        yield userId === 'half way' ? { ...row, user_id: userId } : row;
      }
    },
  };
}
