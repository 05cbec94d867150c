import { inspect } from 'node:util';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { Pool } from 'pg';
import { beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { createTestSchema, type TestSchema } from './test-schema.ts';

let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
});

test.each([1, 2, 3, 4, 5])('eight replicas that migrate at the same time all succeed (%i)', async () => {
  const pools = Array.from({ length: 8 }, () => schema.createPool());
  await Promise.all(pools.map((pool) => pool.query('SELECT 1')));
  await Promise.all(pools.map((pool) => migratePostgresStore({ pool })));
  expect(await tables()).toEqual(['accounts', 'api_keys', 'memories', 'memory_read_versions']);
  expect(await versions()).toEqual([1, 2]);
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
  await expect(migratePostgresStore({ pool })).rejects.toMatchObject({ code: 'not_permitted' });
});

test('rejects tables of a newer version, and does not change them', async () => {
  const pool = schema.createPool();
  await migratePostgresStore({ pool });
  await pool.query('INSERT INTO memory_read_versions (version) VALUES (3)');
  await expect(migratePostgresStore({ pool, name: 'db' })).rejects.toMatchObject({
    name: 'PostgresStoreError',
    code: 'newer_version',
    message: 'Failed to use db: its schema has version 3, but this software supports only 2. Update the software.',
  });
  expect(await versions()).toEqual([1, 2, 3]);
});

test('rejects tables of another application, and adds none', async () => {
  const pool = schema.createPool();
  await pool.query('CREATE TABLE api_keys (secret TEXT)');
  await expect(migratePostgresStore({ pool })).rejects.toMatchObject({ code: 'other_application' });
  expect(await tables()).toEqual(['api_keys']);
});

test('rejects a database that cannot store all characters, and creates no tables', async () => {
  const pool = await createDatabase('LATIN1');
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
    message: 'Failed to use the PostgreSQL store: its tables are missing. Call migratePostgresStore first.',
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

async function createDatabase(encoding: string): Promise<Pool> {
  const name = `database_of_${schema.name}`;
  const administrator = new Pool({ connectionString: inject('postgresUrl') });
  await administrator.query(
    `CREATE DATABASE ${name} ENCODING ${encoding} LOCALE 'C' LOCALE_PROVIDER libc TEMPLATE template0`,
  );
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
