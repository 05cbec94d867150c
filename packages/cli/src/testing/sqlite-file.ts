import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { openSqliteStore, type SqliteStore } from '@memory-read/server/sqlite';
import { memoryRecord } from './memory-lines.ts';
import { temporaryDirectory } from './run-cli.ts';

/** Returns the path of a database that does not exist yet, in a folder of its own. */
export function newDatabase(): string {
  return join(temporaryDirectory(), 'memories.sqlite');
}

/** Works with the store of a database, which is closed again. */
export async function withStore<Result>(path: string, work: (store: SqliteStore) => Promise<Result>): Promise<Result> {
  const store = openSqliteStore({ path });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Stores records in a new account. */
export async function storeMemories(path: string, userId: string, records: Partial<MemoryRecord>[]): Promise<void> {
  await withStore(path, async (store) => {
    await store.putAccount({ userId });
    await store.putMemories(
      userId,
      records.map((record) => memoryRecord(record)),
    );
  });
}
