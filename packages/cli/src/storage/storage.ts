import { type ApiKeyStore, hashApiKey, type MemoryStore, type MemoryStoreAdmin } from '@memory-read/server';

/** All that is kept: memories, accounts and keys. */
export interface Storage extends MemoryStore, MemoryStoreAdmin, ApiKeyStore {
  /** Rejects when requests cannot be answered for now. */
  checkReadiness(): Promise<void>;
  close(): Promise<void>;
}

/** Asks for what every request needs first. */
export async function checkByKey(keys: Pick<ApiKeyStore, 'findApiKey'>): Promise<void> {
  await keys.findApiKey(hashApiKey(''));
}
