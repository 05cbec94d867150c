import type { MemoryRecord } from '@memory-read/contract';
import { createMemories } from '@memory-read/fixtures';
import { createApiKey } from '@memory-read/server';
import type { Storage } from '../storage/storage.ts';

/** What a demonstration needs to go on. */
export interface Demo {
  /** Valid until the next demonstration with the same storage. */
  apiKey: string;
  /** Id of the newest memory. */
  memoryId: string | undefined;
}

const userId = 'user_demo';
const keyId = 'key_demo';

/**
 * An account with memories, and a new key for it in place of the one before.
 *
 * An account that has memories keeps them; for a new one `addMedia` is called with those that it is going to have.
 */
export async function prepareDemo(
  storage: Storage,
  { now, addMedia }: { now: Date; addMedia: (memories: readonly MemoryRecord[]) => Promise<void> },
): Promise<Demo> {
  await storage.putAccount({ userId, name: 'Demo' });
  if ((await newestMemoryId(storage)) === undefined) {
    const memories = createMemories({ count: 24, seed: 'demo', now });
    await addMedia(memories);
    await storage.putMemories(userId, memories);
  }
  const { key, keyHash } = createApiKey();
  await storage.putApiKey({ keyId, keyHash, userId });
  return { apiKey: key, memoryId: await newestMemoryId(storage) };
}

async function newestMemoryId(storage: Storage): Promise<string | undefined> {
  for await (const { id } of storage.listMemories({ userId })) return id;
  return undefined;
}
