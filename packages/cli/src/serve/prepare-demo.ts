import type { MemoryRecord } from '@memory-read/contract';
import { createMemories } from '@memory-read/fixtures';
import { createApiKey } from '@memory-read/server';
import type { Storage } from '../storage/storage.ts';

/** Dependencies of a demo. */
export interface Demo {
  /** API key, valid for 24 hours. */
  apiKey: string;
  /** Id of the newest processed memory, or of the newest memory. */
  memoryId: string | undefined;
}

const userId = 'user_demo';
const keyLifetimeMs = 24 * 3_600_000;

/**
 * Creates an account with memories, and a new key. The keys of earlier demos stay valid until they expire.
 *
 * An existing account keeps its memories. For a new one, `addMedia` is called with its memories.
 */
export async function prepareDemo(
  storage: Storage,
  { now, addMedia }: { now: Date; addMedia: (memories: readonly MemoryRecord[]) => Promise<void> },
): Promise<Demo> {
  await storage.putAccount({ userId, name: 'Demo' });
  if ((await memoryToRead(storage)) === undefined) {
    const memories = createMemories({ count: 24, seed: 'demo', now });
    await addMedia(memories);
    await storage.putMemories(userId, memories);
  }
  const { key, keyId, keyHash } = createApiKey();
  await storage.putApiKey({ keyId, keyHash, userId, expiresAt: new Date(now.getTime() + keyLifetimeMs) });
  return { apiKey: key, memoryId: await memoryToRead(storage) };
}

async function memoryToRead(storage: Storage): Promise<string | undefined> {
  let newest: string | undefined;
  for await (const { id, is_processing } of storage.listMemories({ userId })) {
    if (!is_processing) return id;
    newest ??= id;
  }
  return newest;
}
