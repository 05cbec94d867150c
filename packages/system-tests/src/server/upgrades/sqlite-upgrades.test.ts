import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testWrittenContent } from './test-written-content.ts';

const written = globSync('sqlite-schema-*.sqlite', { cwd: import.meta.dirname }).sort();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-upgrade-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('every schema of SQLite up to the present one has a database that was written with it', async () => {
  const path = join(folder, 'new.sqlite');
  await openSqliteStore({ path }).close();
  const schemas = Array.from({ length: versionOf(path) }, (_, index) => index + 1);
  const expected = schemas.map((schema) => `sqlite-schema-${schema}.sqlite`);
  expect(written, 'write the one of a new schema with write-sqlite-database.ts').toEqual(expected);
  expect(written.map((name) => versionOf(copyOf(name)))).toEqual(schemas);
});

describe.each(written)('%s, opened by this version,', (name) => {
  testWrittenContent(async () => {
    const store = openSqliteStore({ path: copyOf(name) });
    return { store, close: () => store.close() };
  });
});

/** Opening one migrates it: the databases of this folder have to stay as they are. */
function copyOf(name: string): string {
  const path = join(folder, name);
  copyFileSync(join(import.meta.dirname, name), path);
  return path;
}

function versionOf(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('PRAGMA user_version').get();
  database.close();
  return Number(row?.user_version);
}
