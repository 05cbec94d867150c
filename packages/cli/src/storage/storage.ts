import { type ApiKeyStore, hashApiKey, type MemoryStore, type MemoryStoreAdmin } from '@memory-read/server';

/** A store of memories, accounts and API keys. */
export interface Storage extends MemoryStore, MemoryStoreAdmin, ApiKeyStore {
  /** Rejects if requests cannot be served at present. */
  checkReadiness(): Promise<void>;
  close(): Promise<void>;
}

/** Reads a key, as every request does first. */
export async function checkByKey(keys: Pick<ApiKeyStore, 'findApiKey'>): Promise<void> {
  await keys.findApiKey(hashApiKey(''));
}
