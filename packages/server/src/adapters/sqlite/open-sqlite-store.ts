import { assertOptions } from '../../assert-options.ts';
import type { ApiKeyStore } from '../../ports/api-key-store.ts';
import type { MemoryStore } from '../../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../../ports/memory-store-admin.ts';
import { openSqliteDatabase, readSchemaVersion } from './open-sqlite-database.ts';
import { createSqliteAccounts } from './sqlite-accounts.ts';
import { createSqliteApiKeys } from './sqlite-api-keys.ts';
import { createSqliteMemoryReader } from './sqlite-memory-reader.ts';
import { createSqliteMemoryWriter } from './sqlite-memory-writer.ts';

/** A store of memories, accounts and API keys in one SQLite file. */
export interface SqliteStore extends MemoryStore, MemoryStoreAdmin, ApiKeyStore {
  /**
   * Checks that this software can read and write the schema of the file. Call it in a readiness check.
   *
   * @throws {@link SqliteStoreError} with code `newer_version` if a newer version of this software has upgraded the file
   * to a schema that this version does not support.
   */
  checkSchema(): void;
  /** Closes the file. Later calls and writes in flight reject. Calling it again does nothing. */
  close(): Promise<void>;
}

/**
 * Opens the store in the SQLite file at `path`. A missing file is created, and only its owner can read and write it. An
 * existing file keeps its permissions.
 *
 * Any number of processes can open the file. Reads never wait. A write waits up to 5 seconds for a write of another
 * process, and the process answers requests meanwhile. Writes of one store run in the order of the calls. When a call has
 * resolved, its data is on the disk.
 *
 * Transcripts of 64 KiB or more are cached, up to 16 MiB. Each read checks whether any process has written to the file,
 * and then reads the transcript again.
 *
 * `putMemories` first stages its records in the temporary directory of SQLite, which needs as much space again. After
 * the last record it stores them in one transaction, in portions. Requests are answered between two portions, and other
 * writes wait. Only the commit stops the process, for as long as the disk needs. The space is released when no
 * `putMemories` is in flight.
 *
 * @throws {@link SqliteStoreError} with code `other_application` if the file belongs to another application.
 * @throws {@link SqliteStoreError} with code `newer_version` if this version of the software does not support a newer
 * schema.
 * @throws {@link SqliteStoreError} with code `wrong_encoding` if the encoding of the file is not UTF-8.
 * @throws {@link SqliteStoreError} with another code if the file cannot be opened. It is not changed in any of these
 * cases.
 *
 * @example
 * ```ts
 * const store = openSqliteStore({ path: join(directory, 'memories.sqlite') });
 * await store.putAccount({ userId: 'user_1' });
 * await store.putMemories('user_1', records);
 * await store.close();
 * ```
 */
export function openSqliteStore(options: { path: string }): SqliteStore {
  assertOptions('open a SQLite store', options, { path: 'string' }, 'Pass { path }');
  const { path } = options;
  const database = openSqliteDatabase(path);
  return {
    ...createSqliteMemoryReader(database),
    ...createSqliteAccounts(database),
    ...createSqliteMemoryWriter(database),
    ...createSqliteApiKeys(database),
    checkSchema: () => void readSchemaVersion(database, path),
    async close() {
      database.close();
    },
  };
}
