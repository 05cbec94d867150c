import { existsSync } from 'node:fs';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { CommandError, exitCodes } from '../errors/command-error.ts';
import type { Storage } from './storage.ts';
import type { StorageOptions } from './storage-options.ts';

/**
 * The storage that the options name; a new SQLite file is made where there is none, and tables in PostgreSQL.
 *
 * @throws SqliteStoreError when the file cannot be used; it is left as it was.
 * @throws PostgresStoreError when the database cannot be used.
 */
export async function openStorage({ db, postgres }: StorageOptions): Promise<Storage> {
  return postgres === undefined ? openSqliteStore({ path: db }) : openPostgres(postgres, true);
}

/** The storage, for commands that have nothing to do in a new one: a misspelt path must not become a file. */
export async function openExistingStorage({ db, postgres }: StorageOptions): Promise<Storage> {
  if (postgres !== undefined) return openPostgres(postgres, false);
  if (existsSync(db)) return openSqliteStore({ path: db });
  throw new CommandError(
    exitCodes.failed,
    `Failed to open ${db}: because there is no such file. Pass the file that serve uses as --db.`,
  );
}

/** Loaded only where it is asked for: whoever uses SQLite need not wait for it. */
async function openPostgres(url: string, canCreate: boolean): Promise<Storage> {
  const { openPostgresStorage } = await import('./open-postgres-storage.ts');
  return openPostgresStorage(url, { canCreate });
}
