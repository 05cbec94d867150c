import { closeSync, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { APPLICATION_ID, compatibleSince, schemaVersion, tables, upgrades } from './migrations.ts';
import { createSqliteConnection, type SqliteConnection } from './sqlite-connection.ts';
import { createSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';
import { explainSqliteError, SqliteStoreError, type SqliteStoreErrorCode } from './sqlite-store-error.ts';

/**
 * Opens the database at this path, and creates or upgrades its tables. Only its owner can read and write a new file.
 *
 * @throws {@link SqliteStoreError} if the file cannot be used. The file is not changed then, and no new one is left.
 */
export function openSqliteDatabase(path: string): SqliteDatabase {
  const isNew = !assertPath(path) && createFile(path);
  try {
    return openFile(path);
  } catch (error) {
    if (isNew) for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    throw error;
  }
}

function openFile(path: string): SqliteDatabase {
  const writer = createSqliteConnection(resolve(path));
  try {
    assertOwn(writer, path);
    configure(writer);
    migrate(writer, path);
    writer.exec('PRAGMA busy_timeout = 0');
    return createSqliteDatabase(createSqliteConnection(resolve(path)), writer);
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Returns whether there is a file. */
function assertPath(path: string): boolean {
  if (path === ':memory:' || path === '') {
    throw refusal('invalid_path', path, 'it is not the path of a file', 'Use createInMemoryStore, or pass a path');
  }
  const directory = dirname(resolve(path));
  const parent = statSync(directory, { throwIfNoEntry: false });
  if (parent?.isDirectory() === false) {
    const problem = `${directory} is a file, and not a directory`;
    throw refusal('missing_directory', path, problem, 'Choose another path, or move the file away');
  }
  if (!parent) throw refusal('missing_directory', path, `the directory ${directory} does not exist`, 'Create it first');
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw refusal('invalid_path', path, 'it is a directory', 'Choose a file in it');
  if (found?.isFile() === false) throw refusal('invalid_path', path, 'it is not a regular file', 'Choose a file');
  return found !== undefined;
}

/**
 * SQLite itself would let others read a new file. It gives its write-ahead log the permissions of the file.
 *
 * Returns false if it was not certainly this call that created the file at this path: another process was first, or the
 * path is a link.
 */
function createFile(path: string): boolean {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    closeSync(openSync(path, isLink ? 'a' : 'ax', 0o600));
    return !isLink;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    const code = (cause as NodeJS.ErrnoException).code === 'ENOSPC' ? sqliteFull : sqliteCantOpen;
    throw explainSqliteError(Object.assign(cause as Error, { errcode: code }), 'open the SQLite store', path);
  }
}

// Result codes of SQLite, https://sqlite.org/rescode.html
const [sqliteFull, sqliteCantOpen] = [13, 14];

/** Checks before anything is written, so that the file of another application stays unchanged. */
function assertOwn(database: SqliteConnection, path: string): void {
  // One transaction writes both, so a process that sees the tables also sees the id when it reads the id second.
  const isEmpty = database.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined;
  const applicationId = pragma(database, 'application_id');
  const isOwn = applicationId === APPLICATION_ID || (isEmpty && applicationId === 0);
  if (!isOwn) {
    throw refusal('other_application', path, 'it is the database of another application', 'Choose another path');
  }
  readSchemaVersion(database, path);
  assertUtf8(database, path);
}

/**
 * Returns the version of the schema.
 *
 * @throws {@link SqliteStoreError} with code `newer_version` if this software cannot read and write a newer schema.
 */
export function readSchemaVersion(database: Pick<SqliteDatabase, 'get'>, path: string): number {
  const version = pragma(database, 'user_version');
  if (version <= schemaVersion || isCompatible(database, version)) return version;
  const reason = `its schema has version ${version}, but this software supports only ${schemaVersion}`;
  throw refusal('newer_version', path, reason, 'Update the software');
}

function isCompatible(database: Pick<SqliteDatabase, 'get'>, version: number): boolean {
  const hasVersions = database.get("SELECT 1 FROM sqlite_schema WHERE name = 'memory_read_versions'") !== undefined;
  const row = hasVersions
    ? database.get('SELECT compatible_since FROM memory_read_versions WHERE version = ?', version)
    : undefined;
  return row !== undefined && Number(row.compatible_since) <= schemaVersion;
}

/** Long transcripts are sent as the bytes in the file, and ids sort by them. */
function assertUtf8(database: SqliteConnection, path: string): void {
  const encoding = database.get('PRAGMA encoding')?.encoding;
  if (encoding === 'UTF-8') return;
  throw refusal('wrong_encoding', path, `its encoding is ${encoding}, not UTF-8`, 'Choose another path');
}

function configure(database: SqliteConnection): void {
  switchToWal(database);
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA journal_size_limit = 67108864;
  `);
}

/** Retries this switch: two processes may make it at once in a new file, and the busy timeout does not cover it. */
function switchToWal(database: SqliteConnection, attempts = 250): void {
  try {
    database.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    const isBusy = Object(error).code === 'busy';
    if (!isBusy || attempts <= 1) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    switchToWal(database, attempts - 1);
  }
}

function migrate(database: SqliteConnection, path: string): void {
  if (pragma(database, 'user_version') >= schemaVersion) return;
  database.transaction(() => {
    // Another process may have upgraded first: the version is certain only under the lock.
    const version = readSchemaVersion(database, path);
    if (version >= schemaVersion) return;
    const steps = version === 0 ? [tables] : upgrades.slice(version - 1).map(({ sql }) => sql);
    for (const step of steps) database.exec(step);
    database.run('INSERT INTO memory_read_versions VALUES (?, ?)', schemaVersion, compatibleSince);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${schemaVersion};`);
  });
}

function pragma(database: Pick<SqliteDatabase, 'get'>, name: string): number {
  return Number(database.get(`PRAGMA ${name}`)?.[name]);
}

function refusal(code: SqliteStoreErrorCode, path: string, reason: string, advice: string): SqliteStoreError {
  return new SqliteStoreError(code, `Failed to open the SQLite store ${JSON.stringify(path)}: ${reason}. ${advice}.`);
}
