import type { ApiKeyStore } from '../../ports/api-key-store.ts';
import type { MemoryStore } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import { createSqliteAccounts } from './sqlite-accounts.ts';
import { createSqliteApiKeys } from './sqlite-api-keys.ts';
import { createSqliteMemoryReader } from './sqlite-memory-reader.ts';
import { createSqliteMemoryWriter } from './sqlite-memory-writer.ts';

/** Memories, accounts and keys in one SQLite file. */
export interface SqliteStore extends MemoryStore, MemoryStoreAdmin, ApiKeyStore {
  /** Lets go of the file; what is called later rejects. Calling it again does nothing. */
  close(): Promise<void>;
}

/**
 * The store in the SQLite file at `path`, which is made when it is new.
 *
 * Any number of processes may have it open. Readers never wait; a writer waits up to five seconds for another
 * process's. What a method has resolved for is on the disk.
 *
 * Transcripts from 64 KiB on are kept as bytes, up to 16 MiB of those read last. Each read asks the file whether anything
 * was written to it since, by whichever process, and then reads them anew.
 *
 * `putMemories` needs as much room again in SQLite's temporary directory until its last record has come; then it
 * stores all of them in one go, during which this process does nothing else. The room is given back when no
 * `putMemories` is under way any more, stored or refused.
 *
 * @throws SqliteStoreError when the file cannot be this store's, with code `other_application` when it is someone else's,
 *   `newer_version` when a newer version of this software made it, `wrong_encoding` when its encoding is not UTF-8; it
 *   is left as it was.
 *
 * @example
 * ```ts
 * const store = openSqliteStore({ path: join(directory, 'memories.sqlite') });
 * await store.putAccount({ userId: 'user_1' });
 * await store.putMemories('user_1', records);
 * await store.close();
 * ```
 */
export function openSqliteStore({ path }: { path: string }): SqliteStore {
  const database = openSqliteDatabase(path);
  return {
    ...createSqliteMemoryReader(database),
    ...createSqliteAccounts(database),
    ...createSqliteMemoryWriter(database),
    ...createSqliteApiKeys(database),
    async close() {
      database.close();
    },
  };
}
