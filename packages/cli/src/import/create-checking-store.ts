import { type MemoryStoreAdmin, toStoredMemory } from '@memory-read/server';

/** Creates a store that checks memories like every store, but stores nothing. */
export function createCheckingStore(): Pick<MemoryStoreAdmin, 'putAccount' | 'putMemories'> {
  return {
    async putAccount() {},
    async putMemories(userId, records) {
      let count = 0;
      for await (const record of records) {
        toStoredMemory(userId, record);
        count += 1;
      }
      return count;
    },
  };
}
