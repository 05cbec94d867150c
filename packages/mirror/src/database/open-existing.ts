import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MirrorError } from '../errors/mirror-error.ts';
import { assertPathType } from '../files/assert-path-type.ts';
import { inSnapshot } from './in-snapshot.ts';
import { journalNamesFile, readHeader } from './read-header.ts';
import { hasSchema, NEWEST_VERSION } from './schema.ts';

/** `MRm1`: distinguishes the database of a mirror from those of other applications. */
export const APPLICATION_ID = 0x4d526d31;

/** Name of the database in the folder of a mirror. */
export const FILE = 'mirror.sqlite';

/** Milliseconds to wait for the write of another connection. */
export const BUSY_TIMEOUT = 5_000;

/** Returns the path of the database of a folder. */
export function databasePath(folder: string): string {
  return join(folder, FILE);
}

/**
 * Returns whether the folder has the database of a mirror; `false` if the file is missing or empty.
 *
 * SQLite must not open the file before this check, because it could write the log of another application into it. A
 * journal can name any other file, which SQLite then removes.
 */
export function isMirror(folder: string): boolean {
  const path = databasePath(folder);
  assertPathType('file', path, 'open the mirror in');
  if (journalNamesFile(path)) throw foreignJournal(folder);
  const header = readHeader(path);
  if (header === undefined) return false;
  if (header.applicationId !== APPLICATION_ID) throw notAMirror(folder, `its ${FILE} belongs to another application`);
  assertSupported(folder, header.userVersion);
  return true;
}

/**
 * Opens the database of a folder after {@link isMirror}. It does not trust the file, because another program can have
 * written it.
 *
 * @throws {@link MirrorError} if the tables are not those of a mirror.
 */
export function openExisting(folder: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  // Node before 24.12 ignores the option `defensive`.
  const database = new DatabaseSync(databasePath(folder), { readOnly, timeout: BUSY_TIMEOUT, defensive: true });
  try {
    // https://sqlite.org/security.html
    database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
    inSnapshot(database, () => {
      const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
      assertSupported(folder, version);
      if (!hasSchema(database, version))
        throw notAMirror(folder, `the tables in its ${FILE} are not those of a mirror`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function assertSupported(folder: string, version: number): void {
  if (version <= NEWEST_VERSION) return;
  const reason = `its tables have version ${version}, but this software supports only ${NEWEST_VERSION}`;
  throw refusal('newer_version', folder, reason, 'Update the software');
}

export function foreignJournal(folder: string): MirrorError {
  return notAMirror(folder, 'its journal belongs to another application');
}

function notAMirror(folder: string, reason: string): MirrorError {
  return refusal('not_a_mirror', folder, reason, 'Choose another folder');
}

export function refusal(code: MirrorError['code'], folder: string, reason: string, advice: string): MirrorError {
  return new MirrorError(code, `Failed to open the mirror in ${JSON.stringify(folder)}: ${reason}. ${advice}.`);
}
