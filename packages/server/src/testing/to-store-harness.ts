import type { MemoryStoreAdmin } from '../ports/memory-store-admin.ts';
import type { StoreHarness } from './store-case.ts';

/** Returns the harness of a store that is seeded through its own `MemoryStoreAdmin`. */
export function toStoreHarness<Store extends MemoryStoreAdmin>(
  store: Store,
  close: () => Promise<void> = async () => {},
): StoreHarness<Store> {
  return {
    store,
    async seed(userId, records) {
      await store.putAccount({ userId });
      await store.putMemories(userId, records);
    },
    close,
  };
}
