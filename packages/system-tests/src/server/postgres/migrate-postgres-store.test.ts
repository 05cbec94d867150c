import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import {
  checkPostgresSchema,
  createPostgresStore,
  migratePostgresStore,
  type PostgresPool,
} from '@memory-read/server/postgres';
import { listAll } from '@memory-read/test-kit/memory-service';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';

let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
});

test.each([1, 2, 3, 4, 5])('eight replicas that migrate at the same time all succeed (%i)', async () => {
  const pools = Array.from({ length: 8 }, () => schema.createPool());
  await Promise.all(pools.map((pool) => pool.query('SELECT 1')));
  await Promise.all(pools.map((pool) => migratePostgresStore({ pool })));
  expect(await tables()).toEqual(['accounts', 'api_keys', 'memories', 'memory_read_versions']);
  expect(await versions()).toEqual([1, 2, 3, 4]);
  await createPostgresStore({ pool: schema.createPool() }).putAccount({ userId: 'ada' });
});

test('a second migration changes nothing, and needs no permission to create tables', async () => {
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  await createPostgresStore({ pool }).putAccount({ userId: 'ada', name: 'Ada' });
  const ordinary = await createOrdinaryUser();
  await migratePostgresStore({ pool: ordinary });
  expect(await createPostgresStore({ pool: ordinary }).findAccount('ada')).toEqual({ userId: 'ada', name: 'Ada' });
});

test('a user without permission to create tables gets an error that says so', async () => {
  const pool = await createOrdinaryUser();
  await expect(migratePostgresStore({ pool })).rejects.toMatchObject({
    code: 'not_permitted',
    message: expect.stringMatching(
      / the user may not create them \(permission denied for schema \w+\)\. Check the name /,
    ),
  });
});

const newerVersion = {
  name: 'PostgresStoreError',
  code: 'newer_version',
  message: 'Failed to use db: its schema has version 9, but this software supports only 4. Update the software.',
};

test.each([null, 5, 9])(
  'rejects a newer version that is compatible since %s, and does not change it',
  async (since) => {
    const pool = schema.createPool();
    await migratePostgresStore({ pool });
    await checkPostgresSchema({ pool });
    await pool.query('INSERT INTO memory_read_versions VALUES (9, $1)', [since]);
    for (const action of [migratePostgresStore, checkPostgresSchema]) {
      await expect(action({ pool, name: 'db' })).rejects.toMatchObject(newerVersion);
    }
    expect(await versions()).toEqual([1, 2, 3, 4, 9]);
  },
);

test('accepts a newer version that is compatible since this one, and does not change it', async () => {
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  await pool.query('INSERT INTO memory_read_versions VALUES (9, 4); ALTER TABLE memories ADD COLUMN mood TEXT');
  const ordinary = await createOrdinaryUser();
  for (const action of [migratePostgresStore, checkPostgresSchema]) await action({ pool: ordinary });
  expect(await versions()).toEqual([1, 2, 3, 4, 9]);
});

test('the schema of an older version, and none, are not ready', async () => {
  const pool = schema.createPool();
  await expect(checkPostgresSchema({ pool })).rejects.toMatchObject({ code: 'not_migrated' });
  await migratePostgresStore({ pool });
  await pool.query('DELETE FROM memory_read_versions WHERE version = 4');
  await expect(checkPostgresSchema({ pool, name: 'db' })).rejects.toMatchObject({
    code: 'not_migrated',
    message:
      'Failed to use db: its tables are older than this software. Migrate them with migratePostgresStore, as memory-read does when it starts.',
  });
});

test.each([
  ['column', 'ALTER TABLE memories DROP COLUMN summary_json'],
  ['table', 'DROP TABLE memories'],
])('the error for a missing %s says whether a newer version has removed it', async (_, change) => {
  // A transaction holds the only connection while it fails.
  const pool = schema.createPool({ max: 1 });
  await migratePostgresStore({ pool });
  const store = createPostgresStore({ pool, name: 'db' });
  await store.putAccount({ userId: 'ada' });
  await pool.query(change);
  const calls = () => [
    store.getMemory({ userId: 'ada', memoryId: 'one' }),
    store.putMemories('ada', [sampleRecord({ id: 'one' })]),
  ];
  for (const call of calls()) await expect(call).rejects.toMatchObject({ code: 'not_migrated' });
  await pool.query('INSERT INTO memory_read_versions (version) VALUES (9)');
  for (const call of calls()) {
    await expect(call).rejects.toMatchObject({
      ...newerVersion,
      cause: expect.objectContaining({ code: expect.stringMatching(/^42/) }),
    });
  }
});

test('a migration whose process is killed leaves the database as it was, and the next one completes it', async () => {
  const pool = schema.createPool();
  let killed = 0;
  const killing = (last: string): PostgresPool => ({
    query: (text, values) => pool.query(text, values),
    async connect() {
      const connection = await pool.connect();
      return {
        async query(text, values) {
          // The connection ends as with its process, while the transaction is open.
          if (text.includes(last)) {
            killed += 1;
            (connection as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
          }
          return connection.query(text, values);
        },
        release: () => connection.release(true),
        on: (event, listener) => connection.on(event, listener),
        removeListener: (event, listener) => connection.removeListener(event, listener),
      };
    },
  });
  for (const last of ['CREATE TABLE api_keys', 'SET compatible_since', 'COMMIT']) {
    await expect(migratePostgresStore({ pool: killing(last) })).rejects.toMatchObject({ code: 'unreachable' });
    await expect.poll(tables).toEqual([]);
  }
  expect(killed).toBe(3);
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

test('rejects a database that cannot store all characters, and creates no tables', async () => {
  const pool = await createDatabase("LOCALE 'C' LOCALE_PROVIDER libc", 'LATIN1');
  await expect(migratePostgresStore({ pool, name: 'db' })).rejects.toMatchObject({
    name: 'PostgresStoreError',
    code: 'wrong_encoding',
    message: 'Failed to use db: its encoding does not support all of Unicode. Use a database with the encoding UTF8.',
  });
  const sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'";
  expect((await pool.query(sql)).rows).toEqual([]);
});

test('the error for missing tables names the function to call', async () => {
  const store = createPostgresStore({ pool: schema.createPool() });
  await expect(store.findAccount('ada')).rejects.toMatchObject({
    code: 'not_migrated',
    message:
      'Failed to use the PostgreSQL store: its tables are missing. Restore a backup, or create them with migratePostgresStore, as memory-read does when it starts.',
  });
});

test.each([
  ['a port on which nothing listens', { port: 1 }, 'unreachable'],
  ['a user who does not exist', { user: 'nobody' }, 'authentication_failed'],
  ['a database that does not exist', { database: 'none' }, 'unknown_database'],
  ['a schema that does not exist', { options: '-csearch_path=none' }, 'unknown_database'],
])('describes %s as such', async (_, settings, code) => {
  const { hostname: host, port } = new URL(inject('postgresUrl'));
  const pool = new Pool({
    host,
    port: Number(port),
    user: 'postgres',
    password: 'hush',
    database: 'postgres',
    ...settings,
  });
  onTestFinished(() => pool.end());
  const error = await migratePostgresStore({ pool }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'PostgresStoreError', code });
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain('hush');
});

/** A user that may read and write existing tables of the schema, but create none. */
async function createOrdinaryUser(): Promise<Pool> {
  const pool = schema.createPool();
  const user = `user_of_${schema.name}`;
  await pool.query(`CREATE USER ${user}; GRANT USAGE ON SCHEMA ${schema.name} TO ${user}`);
  await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema.name} TO ${user}`);
  return schema.createPool({ connectionString: schema.url.replace('postgres@', `${user}@`) });
}

async function createDatabase(locale: string, encoding = 'UTF8'): Promise<Pool> {
  const name = `database_of_${schema.name}`;
  const administrator = new Pool({ connectionString: inject('postgresUrl') });
  await administrator.query(`CREATE DATABASE ${name} ENCODING ${encoding} ${locale} TEMPLATE template0`);
  const pool = new Pool({ connectionString: Object.assign(new URL(inject('postgresUrl')), { pathname: name }).href });
  onTestFinished(async () => {
    await pool.end();
    await administrator.query(`DROP DATABASE ${name}`);
    await administrator.end();
  });
  return pool;
}

async function tables(): Promise<string[]> {
  const sql = 'SELECT table_name FROM information_schema.tables WHERE table_schema = $1 ORDER BY table_name';
  return (await schema.createPool().query(sql, [schema.name])).rows.map(({ table_name }) => table_name);
}

async function versions(): Promise<number[]> {
  const { rows } = await schema.createPool().query('SELECT version FROM memory_read_versions ORDER BY version');
  return rows.map(({ version }) => version);
}
