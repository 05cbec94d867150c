import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { checkPostgresSchema, createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { listAll } from '@memory-read/test-kit/memory-service';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { watchStatements } from '@memory-read/test-kit/postgres/watch-statements';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';

let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
});

test('a migration whose process is killed leaves the database as it was, and the next one completes it', async () => {
  for (const last of ['CREATE TABLE api_keys', 'SET compatible_since', 'COMMIT']) {
    const pool = schema.createPool();
    let killed = 0;
    watchStatements(pool, ({ text }, connection) => {
      if (!text.includes(last)) return;
      killed += 1;
      // The connection ends as with its process, while the transaction is open.
      (connection as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    });
    await expect(migratePostgresStore({ pool })).rejects.toMatchObject({ code: 'unreachable' });
    await expect.poll(tables).toEqual([]);
    expect(killed).toBe(1);
  }
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  await checkPostgresSchema({ pool });
});

test.each([
  ['C', "LOCALE 'C' LOCALE_PROVIDER libc", null],
  ['en-US-u-kf-upper', "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en-US-u-kf-upper'", 'C'],
])('in a database with the locale %s, ids are ordered by bytes', async (_, locale, collation) => {
  const pool = await createDatabase(locale);
  await migratePostgresStore({ pool });
  const store = createPostgresStore({ pool });
  await store.putAccount({ userId: 'ada' });
  // By the bytes of UTF-8, which is neither the order of a language nor that of UTF-16.
  const ids = ['\u{1f600}', '\u{ffee}', 'é', 'a', '_', 'Z', 'A', '9', '-a', ' b'];
  await store.putMemories(
    'ada',
    ids.toReversed().map((id) => sampleRecord({ id })),
  );
  expect((await listAll(store, 'ada')).map(({ id }) => id)).toEqual(ids);
  const { rows } = await pool.query(
    "SELECT collation_name FROM information_schema.columns WHERE table_name = 'memories' AND column_name = 'id'",
  );
  expect(rows).toEqual([{ collation_name: collation }]);
});

test('tables without a collation are rejected in a database that orders text by a language', async () => {
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  // As after a restore of tables from a database with the locale C.
  await pool.query('ALTER TABLE memories ALTER COLUMN id TYPE TEXT COLLATE "default"');
  await expect(migratePostgresStore({ pool, name: 'db' })).rejects.toMatchObject({
    code: 'wrong_collation',
    message: 'Failed to use db: its tables do not order text by bytes. Restore them in a database with the locale C.',
  });
});

test('rejects tables of another application, and adds none', async () => {
  const pool = schema.createPool();
  await pool.query('CREATE TABLE api_keys (secret TEXT)');
  await expect(migratePostgresStore({ pool })).rejects.toMatchObject({ code: 'other_application' });
  expect(await tables()).toEqual(['api_keys']);
});

/** SQL_ASCII stores every byte, but counts and compares bytes. The others lack characters. */
const encodings = [
  ...['SQL_ASCII', 'LATIN1', 'LATIN9', 'ISO_8859_5', 'WIN1252', 'WIN1258', 'KOI8R', 'EUC_CN', 'EUC_JP', 'EUC_JIS_2004'],
  ...['EUC_KR', 'EUC_TW'],
];

test.each(encodings)(
  'rejects a database in %s, which cannot store all of Unicode, and creates no tables',
  async (encoding) => {
    const pool = await createDatabase("LOCALE 'C' LOCALE_PROVIDER libc", encoding);
    const refused = {
      name: 'PostgresStoreError',
      code: 'wrong_encoding',
      message: 'Failed to use db: its encoding does not support all of Unicode. Use a database with the encoding UTF8.',
    };
    await expect(migratePostgresStore({ pool, name: 'db' })).rejects.toMatchObject(refused);
    const sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'";
    expect((await pool.query(sql)).rows).toEqual([]);
  },
);

test('tables that exist in a database in SQL_ASCII are neither ready nor migrated', async () => {
  const pool = await createDatabase("LOCALE 'C' LOCALE_PROVIDER libc", 'SQL_ASCII');
  // As an older version of this software created them.
  await pool.query('CREATE TABLE memory_read_versions (version INTEGER PRIMARY KEY, compatible_since INTEGER)');
  await pool.query('INSERT INTO memory_read_versions VALUES (4, 2)');
  for (const action of [migratePostgresStore, checkPostgresSchema]) {
    await expect(action({ pool })).rejects.toMatchObject({ code: 'wrong_encoding' });
  }
});

test('a missing schema is reported without the password', async () => {
  const url = schema.url.replace(schema.name, 'none').replace('postgres@', 'postgres:hush@');
  const pool = schema.createPool({ connectionString: url });
  const error = await migratePostgresStore({ pool }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'PostgresStoreError', code: 'unknown_database' });
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hush');
});

async function createDatabase(locale: string, encoding = 'UTF8'): Promise<Pool> {
  const name = `database_of_${schema.name}`;
  const administrator = schema.createPool();
  await administrator.query(`CREATE DATABASE ${name} ENCODING ${encoding} ${locale} TEMPLATE template0`);
  const pool = new Pool({ connectionString: Object.assign(new URL(inject('postgresUrl')), { pathname: name }).href });
  onTestFinished(async () => {
    await pool.end();
    await administrator.query(`DROP DATABASE ${name}`);
  });
  return pool;
}

async function tables(): Promise<string[]> {
  const sql = 'SELECT table_name FROM information_schema.tables WHERE table_schema = $1 ORDER BY table_name';
  return (await schema.createPool().query(sql, [schema.name])).rows.map(({ table_name }) => table_name);
}
