import type { MemoryRecord } from '@memory-read/contract';
import { createMemories } from '@memory-read/fixtures';
import { createApiKey } from '@memory-read/server';
import type { Storage } from '../storage/storage.ts';

/** Dependencies of a demo. */
export interface Demo {
  /** Valid until the next demonstration with the same storage. */
  apiKey: string;
  /** Id of the newest memory that is processed, or of the newest of all. */
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
  if ((await memoryToRead(storage)) === undefined) {
    const memories = createMemories({ count: 24, seed: 'demo', now });
    await addMedia(memories);
    await storage.putMemories(userId, memories);
  }
  const { key, keyHash } = createApiKey();
  await storage.putApiKey({ keyId, keyHash, userId });
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
