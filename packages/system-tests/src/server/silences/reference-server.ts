import { type ApiKeyStore, createInMemoryStore, type MemoryStore } from '@memory-read/server';
import { createFakeClock } from '@memory-read/server/testing';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { serveMemories } from '@memory-read/test-kit/serve-memories';

/** The server that answers all these requests, and what happened to it. */
export interface ReferenceServer {
  port: number;
  /** Of an account with memories. */
  key: string;
  /** Of an account with a list of 3,000. */
  longKey: string;
  /** Of accounts whose store is broken, in the ways that their names say. */
  brokenKeys: { halfWay: string; foreignRow: string };
  errors: unknown[];
  close(): Promise<void>;
}

const wav = { object_key: 'a b/ü.wav', content_type: 'audio/wav' };

export const oddId = 'a/b ü%2F?#😀';

const record = sampleRecord({
  name: 'A walk',
  started_at: '2026-03-01T10:00:00.1239+02:00',
  ended_at: '2026-03-01T09:00:00Z',
  transcript: {
    segments: [
      { speaker: 'Stimme \0\ud800', start_at: '2026-03-01T08:00:01', end_at: '2026-03-01T08:00:02Z', text: '' },
    ],
  },
  summary: { quick_summary: 'One.', key_takeaways: [] },
  media: { audio: wav },
});
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
  const long = Array.from({ length: 3_000 }, (_, index) => ({ ...sameStart, id: `long_${index}` }));
  const { key } = await addAccount(memory, 'ada', records);
  const { key: longKey } = await addAccount(memory, 'grace', long);
  const brokenKeys = {
    halfWay: (await addAccount(memory, 'half way')).key,
    foreignRow: (await addAccount(memory, 'foreign row')).key,
  };
  const clock = createFakeClock('2026-03-02T00:00:00Z');
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const server = await serveMemories(breakFor(memory), { clock, onError, requestTimeout });
  return { port: server.port, key, longKey, brokenKeys, errors, close: server.close };
}

/** The store as it is, but for the accounts that are named after their trouble. */
function breakFor(memory: ReturnType<typeof createInMemoryStore>): MemoryStore & Pick<ApiKeyStore, 'findApiKey'> {
  return {
    findApiKey: memory.findApiKey,
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
