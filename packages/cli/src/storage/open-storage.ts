import { existsSync } from 'node:fs';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import type { PostgresStorageOptions } from './open-postgres-storage.ts';
import { openSqliteStorage } from './open-sqlite-storage.ts';
import type { Storage } from './storage.ts';
import type { StorageOptions } from './storage-options.ts';

/**
 * The storage that the options name; a new SQLite file is made where there is none, and tables in PostgreSQL.
 *
 * @throws SqliteStoreError when the file cannot be used; it is left as it was.
 * @throws PostgresStoreError when the database cannot be used, and the reason of an interruption that comes before it is open.
 */
export async function openStorage({ db, postgres }: StorageOptions, interruption?: AbortSignal): Promise<Storage> {
  if (postgres === undefined) return openSqliteStorage(db);
  return openPostgres(postgres, { canCreate: true, interruption });
}

/** The storage, for commands that have nothing to do in a new one: a misspelt path must not become a file. */
export async function openExistingStorage({ db, postgres }: StorageOptions): Promise<Storage> {
  if (postgres !== undefined) return openPostgres(postgres, { canCreate: false });
  if (existsSync(db)) return openSqliteStorage(db);
  throw new CommandError(
    exitCodes.failed,
    `Failed to open ${db}: because there is no such file. Pass the file that serve uses as --db.`,
  );
}

/** Loaded only where it is asked for: whoever uses SQLite need not wait for it. */
async function openPostgres(url: string, options: PostgresStorageOptions): Promise<Storage> {
  const { openPostgresStorage } = await import('./open-postgres-storage.ts');
  return openPostgresStorage(url, options);
}
