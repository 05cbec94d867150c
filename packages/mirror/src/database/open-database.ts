import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainStorageError, unsupportedDisk } from '../errors/explain-storage-error.ts';
import { isMirrorError, MirrorError } from '../errors/mirror-error.ts';
import { Hardening } from '../files/hardening.ts';
import { ignoreNewFolder } from '../files/ignore-folder.ts';
import { makePrivateFile, makePrivateFolder } from '../files/private-files.ts';
import { inTransaction } from './in-transaction.ts';
import type { MirrorDatabase } from './mirror-database.ts';
import { APPLICATION_ID, databasePath, FILE, isMirror, openExisting, refusal } from './open-existing.ts';
import { migrations } from './tables.ts';
import { LOCK_FILE, WriterLock } from './writer-lock.ts';

/** The folder of a mirror and its open database. */
export interface MirrorStorage {
  database: MirrorDatabase;
  folder: string;
  hardening: Hardening;
}

/**
 * Opens the database of a folder. Without `readOnly`, it creates missing files and folders for their owner only.
 *
 * @throws {@link MirrorError} if the folder cannot be used. A file that does not belong to a mirror is not changed.
 */
export function openDatabase(
  folder: string,
  { readOnly, hardening = new Hardening(folder) }: { readOnly: boolean; hardening?: Hardening },
): DatabaseSync {
  let database: DatabaseSync | undefined;
  let isNew = false;
  try {
    assertFullTextSearch();
    isNew = !isMirror(folder);
    if (isNew && readOnly) {
      throw refusal('not_found', folder, 'it holds no mirror', 'Sync it first, or choose another folder');
    }
    if (isNew) {
      makePrivateFolder(folder, hardening);
      ignoreNewFolder(folder);
      makePrivateFile(databasePath(folder), hardening);
    }
    database = openExisting(folder, { readOnly });
    if (!readOnly) prepareForWriting({ database, folder, hardening });
    return database;
  } catch (error) {
    database?.close();
    const explained = explainStorageError(error, 'open the mirror in', folder);
    // A share can be the target of an export, which is refused in the folder of a mirror.
    if (isNew && isMirrorError(explained) && explained.code === 'unsupported_disk') {
      for (const name of [FILE, `${FILE}-wal`, `${FILE}-shm`, LOCK_FILE]) rmSync(join(folder, name), { force: true });
    }
    throw explained;
  }
}

/** @throws {@link MirrorError} if SQLite of this runtime has no FTS5. */
export function assertFullTextSearch(
  database: Pick<DatabaseSync, 'prepare' | 'close'> = new DatabaseSync(':memory:'),
): void {
  const found = database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get();
  database.close();
  if (found !== undefined) return;
  const reason = 'SQLite of this runtime has no full-text search (FTS5)';
  throw new MirrorError('unsupported_runtime', `Failed to open the mirror: ${reason}. Use Node 22.16 or newer.`);
}

function prepareForWriting({ database, folder, hardening }: MirrorStorage): void {
  database.exec(`PRAGMA synchronous = ${hardening.canSync() ? 'FULL' : 'OFF'}; PRAGMA secure_delete = ON`);
  const isReady = pragma(database, 'user_version') === migrations.length && pragma(database, 'journal_mode') === 'wal';
  if (isReady) return;
  const lock = WriterLock.take(folder, 'open the mirror', hardening);
  try {
    inTransaction(database, () => {
      // Another process can have migrated the mirror before, so the version is read under the lock.
      for (const step of migrations.slice(pragma(database, 'user_version'))) step(database);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
    });
    // The log is enabled last, so that the file has the application id as soon as it is not empty.
    database.exec('PRAGMA journal_mode = WAL');
    const { code, reason, advice } = unsupportedDisk;
    if (pragma(database, 'journal_mode') !== 'wal') throw refusal(code, folder, reason, advice);
  } finally {
    lock.release();
  }
}

function pragma(database: DatabaseSync, name: 'user_version'): number;
function pragma(database: DatabaseSync, name: 'journal_mode'): string;
function pragma(database: DatabaseSync, name: string): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}
