import type { MemoryRecord } from '@memory-read/contract';
import { createMemories } from '@memory-read/fixtures';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { createApiKey } from '@memory-read/server';
import type { Storage } from '../storage/storage.ts';
import { demoRecordingId, demoRecordingOf, demoUserId as userId } from './demo-recording.ts';

/** The account of a demo, and the data to try it. */
export interface Demo {
  userId: string;
  /** API key, valid for 24 hours. */
  apiKey: string;
  /** Id of the newest processed memory, or of the newest memory. */
  memoryId: string | undefined;
  /** Ids of the memories that will be processed while the demo runs, the next one first. */
  processingIds: readonly string[];
}

const keyLifetimeMs = 24 * 3_600_000;

/**
 * Creates an account with memories, and a new key. The keys of earlier demos stay valid until they expire.
 *
 * An existing account keeps its memories. It gets another one in processing if none is left that will be processed.
 */
export async function prepareDemo(storage: Storage, now: Date): Promise<Demo> {
  await storage.putAccount({ userId, name: 'Demo' });
  const existing = await lookAt(storage);
  const added = existing.memoryId === undefined ? firstMemories(now) : nextMemories(now, existing);
  if (added.length > 0) await storage.putMemories(userId, added);
  const { key, keyId, keyHash } = createApiKey();
  await storage.putApiKey({ keyId, keyHash, userId, expiresAt: new Date(now.getTime() + keyLifetimeMs) });
  return { userId, apiKey: key, ...(await lookAt(storage)) };
}

/** Two dozen memories, those of the showcase first: two will be processed, and one never. */
function firstMemories(now: Date): MemoryRecord[] {
  const showcase = showcaseMemories({ now });
  const processing = [now, new Date(now.getTime() - 600_000)].map(inProcessing);
  const older = Math.min(...processing.map(({ started_at }) => Date.parse(started_at)));
  // How many are in processing depends on the time of the day: more are generated than are used.
  const generated = createMemories({ count: 40, seed: 'demo', now: new Date(older), language: 'en' });
  const endless = generated.find(({ is_processing }) => is_processing);
  const others = generated.filter((memory) => memory === endless || !memory.is_processing).slice(0, 19);
  return [...showcase, ...processing, ...others];
}

function nextMemories(now: Date, { processingIds }: Pick<Demo, 'processingIds'>): MemoryRecord[] {
  return processingIds.length > 0 ? [] : [inProcessing(now)];
}

function inProcessing(now: Date): MemoryRecord {
  const recording = demoRecordingOf(demoRecordingId(now)) as MemoryRecord;
  return { ...recording, is_processing: true, transcript: null, summary: null };
}

async function lookAt(storage: Storage): Promise<Pick<Demo, 'memoryId' | 'processingIds'>> {
  let newest: string | undefined;
  let processed: string | undefined;
  const processingIds: string[] = [];
  for await (const { id, is_processing } of storage.listMemories({ userId })) {
    newest ??= id;
    if (!is_processing) processed ??= id;
    else if (demoRecordingOf(id)) processingIds.push(id);
  }
  return { memoryId: processed ?? newest, processingIds };
}
