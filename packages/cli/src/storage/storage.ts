import { type ApiKeyStore, hashApiKey, type MemoryStore, type MemoryStoreAdmin } from '@memory-read/server';

/** A store of memories, accounts and API keys. */
export interface Storage extends MemoryStore, MemoryStoreAdmin, ApiKeyStore {
  /** Rejects if requests cannot be served at present. */
  checkReadiness(): Promise<void>;
  /** Returns the state of the connections. Only PostgreSQL has connections. */
  connections?(): PostgresConnections;
  close(): Promise<void>;
}

/** Number of connections that are active or idle, and of reads and writes that are waiting for one. */
export type PostgresConnections = Record<'active' | 'idle' | 'waiting', number>;

/** Reads a key, as every request does first. */
export async function checkByKey(keys: Pick<ApiKeyStore, 'findApiKey'>): Promise<void> {
  await keys.findApiKey(hashApiKey(''));
}
