import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainStorageError } from '../errors/explain-storage-error.ts';
import { MirrorError } from '../errors/mirror-error.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';
import { APPLICATION_ID, migrations } from './tables.ts';

/** Name of the database in the folder of a mirror. */
const FILE = 'mirror.sqlite';

/** Milliseconds to wait for the write of another connection. */
export const BUSY_TIMEOUT = 5_000;

/** An open database of a mirror. */
export type MirrorDatabase = DatabaseSync;

/**
 * Opens the database of a folder. Without `readOnly` it creates what is missing, for its owner only.
 *
 * @throws {@link MirrorError} if the folder cannot be used. A file that is not of a mirror is not changed.
 */
export function openDatabase(folder: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  const path = join(folder, FILE);
  let database: DatabaseSync | undefined;
  try {
    if (!existsSync(path)) {
      if (readOnly) throw refusal('not_found', folder, 'it holds no mirror', 'Sync it first, or choose another folder');
      makePrivateFolder(folder);
      makePrivateFile(path);
    }
    database = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT });
    assertOwn(database, folder, readOnly);
    if (!readOnly) {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
      migrate(database);
    }
    return database;
  } catch (error) {
    database?.close();
    throw explainStorageError(error, 'open the mirror in', folder);
  }
}

/** Checks before anything is written, so that the file of another application stays as it is. */
function assertOwn(database: DatabaseSync, folder: string, readOnly: boolean): void {
  const [isEmpty, id] = [
    database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined,
    pragma(database, 'application_id'),
  ];
  if (isEmpty && readOnly) throw refusal('not_found', folder, 'its mirror is empty', 'Sync it first');
  if (id !== APPLICATION_ID && !(isEmpty && id === 0)) {
    throw refusal('not_a_mirror', folder, `its ${FILE} is of another application`, 'Choose another folder');
  }
  const version = pragma(database, 'user_version');
  if (version <= migrations.length) return;
  const reason = `its tables have version ${version}, but this software supports only ${migrations.length}`;
  throw refusal('newer_version', folder, reason, 'Update the software');
}

function migrate(database: DatabaseSync): void {
  if (pragma(database, 'user_version') === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been first: the version is certain only under the lock.
    for (const step of migrations.slice(pragma(database, 'user_version'))) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}

function refusal(code: MirrorError['code'], folder: string, reason: string, advice: string): MirrorError {
  return new MirrorError(code, `Failed to open the mirror in ${JSON.stringify(folder)}: ${reason}. ${advice}.`);
}
