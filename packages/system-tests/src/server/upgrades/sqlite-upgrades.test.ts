import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { listAll } from '@memory-read/test-kit/memory-service';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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

test.each(written.slice(0, -1))('kill -9 before the commit of the upgrade of %s leaves it as it was', async (name) => {
  const path = copyOf(name);
  const before = { tables: tables(path), version: versionOf(path) };
  const script = `
    const { DatabaseSync } = await import('node:sqlite');
    const { openSqliteStore } = await import('@memory-read/server/sqlite');
    const exec = DatabaseSync.prototype.exec;
    DatabaseSync.prototype.exec = function (sql) {
      if (sql === 'COMMIT') process.kill(process.pid, 'SIGKILL');
      return exec.call(this, sql);
    };
    openSqliteStore({ path: process.argv[1] });
  `;
  const options = ['--conditions=@memory-read/source', '--input-type=module', '--eval', script, path];
  const child = spawn(process.execPath, options, { cwd: import.meta.dirname, stdio: ['ignore', 'ignore', 'inherit'] });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  expect({ tables: tables(path), version: versionOf(path) }).toEqual(before);
  const store = openSqliteStore({ path });
  expect(await listAll(store, 'user_1')).toHaveLength(3);
  await store.close();
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

/**
 * Returns the statements that create all tables and indexes. SQLite quotes the name of a table that was renamed, and adds
 * a column without a line break.
 */
function tables(path: string): string[] {
  const rows = query(path, 'SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name');
  const plain = (sql: unknown) =>
    String(sql)
      .replaceAll('"', '')
      .replace(/\s+/g, ' ')
      .replace(/ (?=[,)])/g, '');
  return rows.map(({ sql }) => plain(sql));
}

function query(path: string, sql: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}
