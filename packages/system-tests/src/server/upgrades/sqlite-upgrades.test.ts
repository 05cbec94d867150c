import { copyFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../make-folder.ts';
import { testWrittenContent } from './test-written-content.ts';

const written = globSync('sqlite-schema-*.sqlite', { cwd: import.meta.dirname }).sort();
let folder: string;

beforeEach(() => {
  folder = makeFolder();
});

test('every schema of SQLite up to the current one has a database that was written with it', async () => {
  const path = join(folder, 'new.sqlite');
  await openSqliteStore({ path }).close();
  const schemas = Array.from({ length: versionOf(path) }, (_, index) => index + 1);
  const expected = schemas.map((schema) => `sqlite-schema-${schema}.sqlite`);
  expect(written, 'write the one of a new schema with write-database.ts').toEqual(expected);
  expect(written.map((name) => versionOf(copyOf(name)))).toEqual(schemas);
});

test.each(written)('%s gets the tables of a new database', async (name) => {
  const paths = [join(folder, 'new.sqlite'), copyOf(name)];
  for (const path of paths) await openSqliteStore({ path }).close();
  const [present, upgraded] = paths.map(tables);
  expect(upgraded).toEqual(present);
});

test('an upgrade that fails does not change the database', () => {
  const path = copyOf('sqlite-schema-1.sqlite');
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE memories_of_version_2 (id TEXT)');
  database.close();
  const before = tables(path);
  expect(() => openSqliteStore({ path })).toThrow(/already exists/);
  expect(tables(path)).toEqual(before);
  expect(versionOf(path)).toBe(1);
});

test('an invalid row does not stop an upgrade, and keeps its text', async () => {
  const path = copyOf('sqlite-schema-1.sqlite');
  const database = new DatabaseSync(path);
  database.exec("UPDATE memories SET media_json = 'no JSON' WHERE id = 'mem_processing'");
  database.close();
  await openSqliteStore({ path }).close();
  const rows = query(
    path,
    "SELECT json_extract(record_json, '$.media') AS media FROM memories WHERE id = 'mem_processing'",
  );
  expect(rows).toEqual([{ media: 'no JSON' }]);
});

describe.each(written)('%s, opened by this version,', (name) => {
  testWrittenContent(async () => {
    const store = openSqliteStore({ path: copyOf(name) });
    onTestFinished(store.close);
    return store;
  });
});

/** Copies a database, because opening it would migrate the original. */
function copyOf(name: string): string {
  const path = join(folder, name);
  copyFileSync(join(import.meta.dirname, name), path);
  return path;
}

function versionOf(path: string): number {
  const [row] = query(path, 'PRAGMA user_version');
  return Number(row?.user_version);
}

/** Returns the statements that create all tables and indexes. SQLite quotes the name of a table that was renamed. */
function tables(path: string): string[] {
  const rows = query(path, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name');
  return rows.map(({ sql }) => String(sql).replaceAll('"', '').replace(/\s+/g, ' '));
}

function query(path: string, sql: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}
