import type { ApiKeyStore, MemoryStore, MemoryStoreAdmin } from '@memory-read/server';

/** All that is kept: memories, accounts and keys. */
export interface Storage extends MemoryStore, MemoryStoreAdmin, ApiKeyStore {
  close(): Promise<void>;
}
