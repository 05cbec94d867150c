import { type AnyMemoryApiError, isMemoryApiError, MemoryClient } from '@memory-read/client';
import { isMediaUrlExpired } from '@memory-read/client/media-url';
import { type SavedMedia, saveMedia } from '@memory-read/client/node';
import { renameSpeakers, toVtt } from '@memory-read/client/transcript';
import { type ConformanceReport, runConformance } from '@memory-read/conformance';
import type { ListedMemory, Memory, MemoryRecord } from '@memory-read/contract';
import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { operations } from '@memory-read/contract/operations';
import { createMemories } from '@memory-read/fixtures';
import { type Receipt, verifyReceipt } from '@memory-read/mcp/receipt';
import { isMirrorError, type Mirror, type MirrorErrorCode, openMirror, type SearchHit } from '@memory-read/mirror';
import { createInMemoryStore, createMemoryApi, type MemoryStore } from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { createPostgresStore, type PostgresPool } from '@memory-read/server/postgres';
import { createS3MediaSigner } from '@memory-read/server/s3';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { createFakeClock, memoryStoreCases } from '@memory-read/server/testing';

const client = new MemoryClient({
  baseUrl: new URL('https://api.example'),
  apiKey: async () => 'mrk_1',
  timeout: undefined,
});
const listed: Promise<ListedMemory[]> = client.listMemories({ signal: new AbortController().signal });
const one: Promise<Memory> = client.getMemory('mem_1');
const saved: Promise<SavedMedia> = saveMedia(client, 'mem_1', 'audio', 'mem_1.wav', { totalTimeout: false });
const records: MemoryRecord[] = createMemories({ count: 1, seed: 1, now: new Date(0) });
const store: MemoryStore = createInMemoryStore();

export function reasonOf(error: unknown): AnyMemoryApiError['code'] | undefined {
  return isMemoryApiError(error) ? error.code : undefined;
}

export async function firstName(): Promise<string | undefined> {
  const [memory] = await listed;
  // @ts-expect-error a typo on a typed value does not compile
  memory?.titel;
  return memory?.transcript === null ? memory.name : (await one).name;
}

export async function subtitles(): Promise<string> {
  return toVtt(renameSpeakers(await one, { 'Speaker 1': 'Ada' }));
}

export async function failures(): Promise<string[]> {
  const { results }: ConformanceReport = await runConformance({ baseUrl: 'https://api.example', apiKey: 'mrk_1' });
  return results.flatMap((result) => (result.status === 'failed' ? [result.evidence.received] : []));
}

export async function find(words: string): Promise<SearchHit[] | MirrorErrorCode> {
  try {
    const mirror: Mirror = await openMirror({ folder: 'memories', readOnly: undefined });
    await mirror.sync(client, { media: ['audio'], since: new Date(0) });
    return (await mirror.search(words, { kind: 'transcript' })).hits;
  } catch (error) {
    // @ts-expect-error an error has no code before it is checked
    error.code;
    if (isMirrorError(error)) return error.code;
    throw error;
  }
}

export async function prove(receipt: Receipt): Promise<string | undefined> {
  const verdict = verifyReceipt(receipt, await one);
  // @ts-expect-error only a refuted receipt has a reason
  verdict.reason;
  return verdict.status === 'refuted' ? verdict.reason : undefined;
}

export const used = [
  saved,
  isMediaUrlExpired,
  records,
  store,
  operations.getMemory.path,
  buildOpenApiDocument,
  createMemoryApi,
  serve,
  createS3MediaSigner,
  openSqliteStore,
  (pool: PostgresPool) => createPostgresStore({ pool }),
  createFakeClock,
  memoryStoreCases,
];
