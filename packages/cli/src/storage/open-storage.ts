import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../files/make-directory.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { note, printMessage } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import type { PostgresStorageOptions } from './open-postgres-storage.ts';
import { openSqliteStorage } from './open-sqlite-storage.ts';
import type { PostgresSource } from './postgres-source.ts';
import type { Storage } from './storage.ts';
import { defaultDatabase, type StorageOptions } from './storage-options.ts';

/**
 * Opens the storage of the options. It creates a missing SQLite file, and missing tables in PostgreSQL.
 *
 * @throws SqliteStoreError if the file cannot be used. It is not changed then.
 * @throws PostgresStoreError if the database cannot be used; the signal's reason if the opening is aborted.
 */
export async function openStorage(options: StorageOptions, interruption?: AbortSignal): Promise<Storage> {
  const { db, postgres, postgresPoolSize: poolSize, postgresReadTimeout: readTimeoutMs, postgresReads } = options;
  if (postgres === undefined) {
    // A missing folder of another path is most likely misspelt.
    if (db === defaultDatabase) makeDirectory(dirname(db));
    return openSqliteStorage(db);
  }
  const reads = postgresReads && {
    replicas: postgresReads,
    maxLag: options.postgresMaxLag,
    maxOutage: options.postgresMaxOutage,
    fallbackReads: options.postgresFallback,
  };
  return openPostgres(postgres, options, { canCreate: true, poolSize, readTimeoutMs, reads, interruption });
}

/** Call it before the storage is opened. The result notes a SQLite file that is new, because its path may be misspelt. */
export function createFileNote({ process, db, postgres, quiet }: StorageOptions & OutputOptions): () => void {
  const isNew = postgres === undefined && !existsSync(db);
  return () => {
    if (isNew) note(`Created ${db}.`, { process, quiet });
  };
}

/** Opens an existing storage, so that a misspelt path does not create a file. */
export async function openExistingStorage(options: StorageOptions): Promise<Storage> {
  const { db, postgres } = options;
  if (postgres !== undefined) return openPostgres(postgres, options, { canCreate: false });
  const advice = 'Check --db, or pass --postgres';
  assertFileExists(db, { ifMissing: advice, ifEmpty: `Restore a backup. ${advice}` });
  return openSqliteStorage(db);
}

/** @throws CommandError if there is no file at the path, or an empty one, in which SQLite would create new tables. */
export function assertFileExists(db: string, { ifMissing, ifEmpty }: { ifMissing: string; ifEmpty: string }): void {
  const found = statSync(db, { throwIfNoEntry: false });
  if (found && !(found.isFile() && found.size === 0)) return;
  const [problem, advice] = found ? ['it is empty', ifEmpty] : ['there is no such file', ifMissing];
  throw new CommandError(exitCodes.failed, `Failed to open ${db}: ${problem}. ${advice}.`);
}

/** Loaded on demand, because commands with SQLite do not need it. */
async function openPostgres(
  source: PostgresSource,
  { process, onNote = (_event, _fields, text) => printMessage(process, text) }: StorageOptions,
  options: Omit<PostgresStorageOptions, 'onNote'>,
): Promise<Storage> {
  const { openPostgresStorage } = await import('./open-postgres-storage.ts');
  return openPostgresStorage(source, { ...options, onNote });
}
