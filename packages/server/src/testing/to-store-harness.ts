import { assertParts } from '../assert-options.ts';
import type { MemoryStoreAdmin } from '../ports/memory-store-admin.ts';
import type { StoreHarness } from './store-case.ts';

/** Returns the harness of a store that is seeded through its own `MemoryStoreAdmin`. */
export function toStoreHarness<Store extends MemoryStoreAdmin>(
  store: Store,
  close: () => Promise<void> = async () => {},
): StoreHarness<Store> {
  const parts = { 'store.putAccount': 'function', 'store.putMemories': 'function', close: 'function' } as const;
  assertParts('create the harness of a store', { store, close }, parts, 'Pass a store that can be written');
  return {
    store,
    async seed(userId, records) {
      await store.putAccount({ userId });
      await store.putMemories(userId, records);
    },
    close,
  };
}
