import { type ApiKeyStore, hashApiKey, type MemoryStore, type MemoryStoreAdmin } from '@memory-read/server';
import type { PostgresReplicas } from '@memory-read/server/postgres';

export interface Storage extends MemoryStore, MemoryStoreAdmin, ApiKeyStore {
  /** Rejects if requests cannot be served at present. */
  checkReadiness(): Promise<void>;
  /** Returns the state of the connections. Only PostgreSQL has connections. */
  connections?(): PostgresConnections;
  /** The replicas that are read from, if there are any. */
  replicas?: Pick<PostgresReplicas, 'status' | 'counts'> | undefined;
  close(): Promise<void>;
}

/** Receives what happens to the connections: fields of a log, and the same as text. */
export type StorageNote = (event: 'connection-lost' | 'replica' | 'primary', fields: object, text: string) => void;

/** Number of connections that are active or idle, and of reads and writes that are waiting for one. */
export type PostgresConnections = Record<'active' | 'idle' | 'waiting', number>;

/** Reads what requests read: a key, a memory and the first page of a list. No account has an empty id. */
export async function checkReads(store: MemoryStore & Pick<ApiKeyStore, 'findApiKey'>): Promise<void> {
  await store.findApiKey(hashApiKey(''));
  await store.getMemory({ userId: '', memoryId: '' });
  for await (const _ of store.listMemories({ userId: '' })) return;
}
