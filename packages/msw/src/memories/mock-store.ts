import type { MediaKind } from '@memory-read/contract';
import { mediaKinds } from '@memory-read/contract/fields';
import { compareMemories, type MemoryStore, type StoredMemory } from '@memory-read/server';

/** Memories of a mock. The server reads them, and the test writes them synchronously. */
export interface MockStore extends MemoryStore {
  /** Returns the memory of any account. */
  find(memoryId: string): StoredMemory | undefined;
  /** Returns the media object of any account. */
  findMedia(objectKey: string): { memoryId: string; kind: MediaKind } | undefined;
  put(memory: StoredMemory): void;
  delete(memoryId: string): void;
  /** Returns the memories of an account, or of all accounts, in the order of a list. */
  all(userId?: string): StoredMemory[];
  clear(): void;
}

export function createMockStore(): MockStore {
  const memories = new Map<string, StoredMemory>();
  const all = (userId?: string) =>
    [...memories.values()].filter(({ user_id }) => userId === undefined || user_id === userId).sort(compareMemories);

  return {
    async *listMemories({ userId, signal }) {
      signal?.throwIfAborted();
      for (const { transcriptJson: _, ...memory } of all(userId)) {
        signal?.throwIfAborted();
        yield memory;
      }
    },
    async getMemory({ userId, memoryId, signal }) {
      signal?.throwIfAborted();
      const memory = memories.get(memoryId);
      return memory?.user_id === userId ? memory : undefined;
    },
    find: (memoryId) => memories.get(memoryId),
    findMedia(objectKey) {
      for (const { id, media } of all()) {
        const kind = mediaKinds.find((name) => media[name]?.object_key === objectKey);
        if (kind) return { memoryId: id, kind };
      }
      return undefined;
    },
    put: (memory) => void memories.set(memory.id, freeze(memory)),
    delete: (memoryId) => void memories.delete(memoryId),
    all,
    clear: () => memories.clear(),
  };
}

/** The store returns its own objects, so they must not be changed. */
function freeze(memory: StoredMemory): StoredMemory {
  for (const reference of Object.values(memory.media)) Object.freeze(reference);
  Object.freeze(memory.media);
  return Object.freeze(memory);
}
