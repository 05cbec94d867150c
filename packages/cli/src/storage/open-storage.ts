import { existsSync } from 'node:fs';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { CommandError, exitCodes } from '../errors/command-error.ts';
import type { Storage } from './storage.ts';
import type { StorageOptions } from './storage-options.ts';

/**
 * The storage that the options name; a new SQLite file is made where there is none.
 *
 * @throws SqliteStoreError when the file cannot be used; it is left as it was.
 */
export function openStorage({ db }: StorageOptions): Storage {
  return openSqliteStore({ path: db });
}

/** The storage, for commands that have nothing to do in a new one: a misspelt path must not become a file. */
export function openExistingStorage(options: StorageOptions): Storage {
  if (existsSync(options.db)) return openStorage(options);
  throw new CommandError(
    exitCodes.failed,
    `Failed to open ${options.db}: because there is no such file. Pass the file that serve uses as --db.`,
  );
}
