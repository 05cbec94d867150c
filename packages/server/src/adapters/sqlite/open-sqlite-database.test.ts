import * as fs from 'node:fs';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { APPLICATION_ID, schemaVersion, tables } from './migrations.ts';
import { openSqliteDatabase } from './open-sqlite-database.ts';
import { SqliteStoreError } from './sqlite-store-error.ts';
import { temporaryStoreFile } from './temporary-store-file.test-support.ts';

/** Data that another program may have copied from a store into its own file. */
const ownTables = `${tables}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${schemaVersion}`;

let directory: string;
let path: string;

beforeEach(() => {
  path = temporaryStoreFile();
  directory = dirname(path);
});

test('a new file gets the newest schema, the id of the application and a write-ahead log', async () => {
  const database = openSqliteDatabase(path);
  expect(database.get('PRAGMA user_version')).toEqual({ user_version: schemaVersion });
  expect(database.get('PRAGMA application_id')).toEqual({ application_id: APPLICATION_ID });
  expect(database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  await database.betweenTransactions((writer) => {
    expect(writer.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
    expect(writer.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 });
  });
  database.close();
});

test.skipIf(process.platform === 'win32')(
  'only its owner can use a new file, and its log has the same mode',
  async () => {
    const database = openSqliteDatabase(path);
    await database.transaction((writer) => writer.run("INSERT INTO accounts (user_id) VALUES ('ada')"));
    const modes = readdirSync(directory).map((name) => [name, modeOf(join(directory, name))]);
    expect(modes).toEqual(['store.sqlite', 'store.sqlite-shm', 'store.sqlite-wal'].map((name) => [name, '600']));
    database.close();
  },
);

test.skipIf(process.platform === 'win32')('a new file below a symbolic link is for its owner only', () => {
  mkdirSync(join(directory, 'disk'));
  const target = join(directory, 'disk', 'new.sqlite');
  fs.symlinkSync(target, path);
  openSqliteDatabase(path).close();
  expect(modeOf(target)).toBe('600');
});

test.skipIf(process.platform === 'win32')('an existing file keeps its mode, and its log has it too', async () => {
  writeFileSync(path, '');
  fs.chmodSync(path, 0o640);
  const database = openSqliteDatabase(path);
  await database.transaction((writer) => writer.run("INSERT INTO accounts (user_id) VALUES ('ada')"));
  expect(readdirSync(directory).map((name) => modeOf(join(directory, name)))).toEqual(['640', '640', '640']);
  database.close();
  expect(readFileSync(path).subarray(0, 15).toString()).toBe('SQLite format 3');
});

const useAnother = 'it is not the path of a file. Use createInMemoryStore, or pass a path.';

test.each([
  [':memory:', useAnother],
  ['', useAnother],
  ['.', 'it is a directory. Choose a file in it.'],
  ...(fs.existsSync('/dev/null') ? [['/dev/null', 'it is not a regular file. Choose a file.']] : []),
])('rejects the path %j, which names no file', (name = '', problem) => {
  const message = `Failed to open the SQLite store ${JSON.stringify(name)}: ${problem}`;
  expect(openingError(name)).toMatchObject({ code: 'invalid_path', message });
});

test('rejects a missing directory and does not create it', () => {
  const missing = join(directory, 'missing');
  const error = openingError(join(missing, 'store.sqlite'));
  expect(error.code).toBe('missing_directory');
  expect(error.message).toMatch(/: the directory .*missing does not exist\. Create it first\.$/);
  expect(readdirSync(directory)).toEqual([]);
});

test('rejects a file in place of the directory, and does not change it', () => {
  const file = join(directory, 'file');
  writeFileSync(file, 'hi');
  const error = openingError(join(file, 'store.sqlite'));
  expect(error.code).toBe('missing_directory');
  expect(error.message).toMatch(
    /: .*file is a file, and not a directory\. Choose another path, or move the file away\.$/,
  );
  expect(readFileSync(file, 'utf8')).toBe('hi');
});

test('rejects a file that is not a database, and does not change it', () => {
  writeFileSync(path, 'Dear diary, '.repeat(100));
  expect(refusalWithoutChange()).toMatchObject({ code: 'not_a_database', cause: expect.any(Error) });
});

test('rejects the database of another application, and does not change it', () => {
  const notes = 'CREATE TABLE notes (text)';
  for (const sql of [notes, 'PRAGMA application_id = 1', 'CREATE TABLE a (b); PRAGMA user_version = 1']) {
    rmSync(path, { force: true });
    write(sql);
    expect(refusalWithoutChange().code).toBe('other_application');
  }
});

test('rejects the database of a newer version, and does not change it', () => {
  openSqliteDatabase(path).close();
  write(`PRAGMA user_version = ${schemaVersion + 1}`);
  const error = refusalWithoutChange();
  expect(error.code).toBe('newer_version');
  expect(error.message).toMatch(/its schema has version 6, but this software supports only 5\. Update the software\.$/);
});

test('rejects a database in UTF-16, empty or not, and does not change it', () => {
  for (const encoding of ['UTF-16le', 'UTF-16be']) {
    for (const sql of ['CREATE TABLE a (b); DROP TABLE a', ownTables]) {
      rmSync(path, { force: true });
      write(`PRAGMA encoding = '${encoding}'; ${sql}`);
      expect(refusalWithoutChange()).toMatchObject({
        code: 'wrong_encoding',
        message: `Failed to open the SQLite store ${JSON.stringify(path)}: its encoding is ${encoding}, not UTF-8. Choose another path.`,
      });
    }
  }
});

function refusalWithoutChange(): SqliteStoreError {
  const before = readFileSync(path);
  const error = openingError(path);
  expect(readFileSync(path).equals(before)).toBe(true);
  return error;
}

function openingError(at: string): SqliteStoreError {
  try {
    openSqliteDatabase(at).close();
  } catch (error) {
    if (error instanceof SqliteStoreError) return error;
    throw error;
  }
  throw new Error(`${at} was opened`);
}

function modeOf(file: string): string {
  return (fs.statSync(file).mode & 0o777).toString(8);
}

function write(sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
