import { randomUUID } from 'node:crypto';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { freePort } from '@memory-read/test-kit/free-port';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { endOf } from '@memory-read/test-kit/start-process';
import { Pool } from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { runInTerminal } from '../../cli/run-command.ts';
import { spawnCommand } from '../serving/start-serve.ts';
import { runCommand } from './run-command.ts';

const rules = 49;
const revocation = ['UPDATE', 'OLD.active AND NOT NEW.active'] as const;
// A limit of 30 s passes in 3 s, which is long enough for each rule.
const tenthOfLimits = `--import="data:text/javascript,${encodeURIComponent(
  'const { timeout } = AbortSignal; AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 10);',
)}"`;
const prefix = /^memory_read_check_[0-9a-f]{32}$/;

test('every rule holds, in lines of JSON, and no other schema is changed', async () => {
  const database = await createDatabase();
  const pool = database.createPool();
  await migratePostgresStore({ pool });
  const store = createPostgresStore({ pool });
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [sampleRecord({ id: 'mem_1' })]);
  const before = await database.contents();
  // The host that does not respond comes first, and the options are kept.
  const several = database.url.replace('127.0.0.1', `127.0.0.1:${await freePort()},127.0.0.1`);
  const { code, stdout, stderr } = await runCommand(`${several}?options=-csearch_path%3Dpublic`, ['store-check']);
  const lines = linesOf(stdout);
  expect([code, stderr]).toEqual([0, '']);
  const server = expect.stringMatching(/^PostgreSQL \d/);
  expect(lines.pop()).toEqual({ event: 'checked', server, total: rules, held: rules });
  expect(lines).toHaveLength(rules);
  expect(lines[0]).toEqual({
    event: 'case',
    suite: 'MemoryStore',
    title: expect.any(String),
    holds: true,
    elapsedMs: expect.any(Number),
  });
  expect(new Set(lines.map(({ suite }) => suite))).toEqual(new Set(['MemoryStore', 'MemoryStoreAdmin', 'ApiKeyStore']));
  expect(await database.contents()).toEqual(before);
  console.log(`store-check: ${rules} of ${rules} rules hold, in ${(sum(lines) / 1000).toFixed(1)} s`);
});

test('names the broken rule on a terminal, and ends with 1', async () => {
  const database = await createDatabase();
  await database.spoil('api_keys', revocation, 'RETURN OLD;');
  const env = { NO_COLOR: '1', DATABASE_URL: database.url };
  const command = runInTerminal(['store-check', '--postgres', 'env:DATABASE_URL'], { env, columns: 1_000 });
  expect(await command.ended).toBe(1);
  const shown = command.shown().split('\r\u001b[K');
  expect(shown.filter((part) => !part.startsWith('Checking …')).join('')).toMatch(
    /^broken: ApiKeyStore: revokes a key, which can still be found: A revoked key is active: [^\n]+\n48 of 49 rules hold on PostgreSQL \d[^\n]+\nFailed to check postgres:\/\/postgres@127\.0\.0\.1:\d+\/\w+: it breaks 1 of 49 rules\. See the report\.\n$/,
  );
  expect(shown).toContain('Checking … 12 of 49 rules, 0 broken');
  expect(await database.schemas()).toEqual([]);
});

test('a case that does not end is broken, and the others are run', async () => {
  const database = await createDatabase();
  await database.spoil('api_keys', revocation, 'PERFORM pg_sleep(600); RETURN NEW;');
  const { code, stdout } = await runCommand(database.url, ['store-check'], { env: { NODE_OPTIONS: tenthOfLimits } });
  const lines = linesOf(stdout);
  const broken = lines.findIndex(({ holds }) => holds === false);
  expect(lines[broken]).toMatchObject({ title: 'revokes a key, which can still be found', error: 'limit of 30 s' });
  expect(lines[broken + 1]).toMatchObject({ suite: 'ApiKeyStore', holds: true });
  expect(code).toBe(1);
  expect(lines.pop()).toMatchObject({ total: rules, held: rules - 1 });
  expect(await database.schemas()).toEqual([]);
  expect(await database.sleeping()).toBe(0);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends a waiting case, leaves no schema and ends with %i', async (signal, code) => {
  const { database, child, ended } = await startHanging();
  child.kill(signal);
  expect(await ended).toMatchObject({ code, stderr: `Interrupted by ${signal}.\n` });
  expect(await database.schemas()).toEqual([]);
  expect(await database.sleeping()).toBe(0);
});

test('Ctrl+C on a terminal shows that the schema is being dropped', async () => {
  const database = await createDatabase();
  await database.spoil('accounts', ['INSERT'], 'PERFORM pg_sleep(600); RETURN NEW;');
  const env = { NO_COLOR: '1', DATABASE_URL: database.url };
  const command = runInTerminal(['store-check', '--postgres', 'env:DATABASE_URL'], { env });
  await expect.poll(database.sleeping).toBe(1);
  command.type('\u0003');
  await command.until('Dropping the schema …');
  expect(await command.ended).toBe(130);
});

test('a crash leaves only the schema of the running case', async () => {
  const { database, child, ended, before } = await startHanging();
  child.kill('SIGKILL');
  expect((await ended).stderr).toBe('');
  expect(await database.schemas()).toEqual([expect.stringMatching(prefix)]);
  expect(await database.contents()).toEqual(before);
});

test('a schema that cannot be dropped is named, and the others are dropped', async () => {
  const database = await createDatabase();
  const pool = database.createPool();
  await pool.query(`
    CREATE SEQUENCE drops;
    CREATE FUNCTION keep_first() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN IF nextval('public.drops') = 1 THEN RAISE EXCEPTION 'the schema is kept'; END IF; END $$;
    CREATE EVENT TRIGGER keep_first ON ddl_command_start WHEN TAG IN ('DROP SCHEMA') EXECUTE FUNCTION keep_first()`);
  const { code, stdout, stderr } = await runCommand(database.url, ['store-check']);
  expect(linesOf(stdout).pop()).toMatchObject({ total: rules, held: rules });
  const [schema = ''] = await database.schemas();
  expect(await database.schemas()).toEqual([expect.stringMatching(prefix)]);
  const [first, ...more] = stderr.trimEnd().split('\n');
  expect(first).toMatch(
    new RegExp(
      `^Failed to drop the schema ${schema}: it may remain in postgres://\\S+\\. Run DROP SCHEMA ${schema} CASC`,
    ),
  );
  expect(first).toContain('the schema is kept');
  expect(more).toEqual([expect.stringMatching(/^Failed to check \S+: a schema may remain \(see above\)\. Drop it\.$/)]);
  expect(code).toBe(1);
});

test('without the right to create schemas, the message names it', async () => {
  const database = await createDatabase();
  const role = `role_${database.name}`;
  await database.createPool().query(`CREATE ROLE ${role} LOGIN`);
  const run = await runCommand(database.url.replace('postgres@', `${role}@`), ['store-check']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toMatch(
    /^Failed to check \S+: the user may not create schemas\. Grant CREATE on the database, or use another user\.\n$/,
  );
  await database.createPool().query(`DROP ROLE ${role}`);
});

test('a server that refuses to create a schema ends the command with one line', async () => {
  const database = await createDatabase();
  await database.createPool().query(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`);
  const { code, stdout, stderr } = await runCommand(database.url, ['store-check']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Failed to use \S+: the database is read-only\. Use the primary server\.\n$/);
});

test('a database with another encoding ends the command with one line', async () => {
  const database = await createDatabase(`ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`);
  const { code, stdout, stderr } = await runCommand(database.url, ['store-check']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Failed to use \S+: its encoding does not support all of Unicode\. Use a database [^\n]+\n$/);
  expect(await database.schemas()).toEqual([]);
});

test('connections that do not keep to their search_path are not used', async () => {
  const database = await createDatabase();
  const pool = database.createPool();
  await pool.query(`
    CREATE FUNCTION as_before() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM set_config('search_path', 'public', false); END $$;
    CREATE EVENT TRIGGER as_before ON login EXECUTE FUNCTION as_before()`);
  const before = await database.contents();
  const { code, stderr } = await runCommand(database.url, ['store-check']);
  expect(stderr).toMatch(
    /: its connections do not use the search_path of their options\. Connect without a pooler\.\n$/,
  );
  expect(code).toBe(1);
  expect(await database.schemas()).toEqual([]);
  expect(await database.contents()).toEqual(before);
});

test('a server that cannot be reached is named without its password', async () => {
  const port = await freePort();
  const run = await runCommand(`postgres://ada:hush@127.0.0.1:${port}/memories`, ['store-check']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toBe(
    `Failed to use postgres://ada@127.0.0.1:${port}/memories: the connection was refused. Check its address, and that PostgreSQL is running.\n`,
  );
});

/** Starts the command on a database where the first case waits, and returns when it does. */
async function startHanging() {
  const database = await createDatabase();
  await database.spoil('accounts', ['INSERT'], 'PERFORM pg_sleep(600); RETURN NEW;');
  const before = await database.contents();
  const child = spawnCommand(['store-check', '--postgres', 'env:DATABASE_URL'], {
    env: { NO_COLOR: '1', NODE_OPTIONS: '', DATABASE_URL: database.url },
  });
  const ended = endOf(child);
  await expect.poll(database.sleeping).toBe(1);
  return { database, child, ended, before };
}

/** A database for one test, because other tests change the schemas of the shared one. */
async function createDatabase(properties = '') {
  const name = `check_${randomUUID().replaceAll('-', '')}`;
  const url = inject('postgresUrl').replace(/[^/]+$/, name);
  const administrator = new Pool({ connectionString: inject('postgresUrl'), max: 1 });
  await administrator.query(`CREATE DATABASE ${name} ${properties}`);
  onTestFinished(async () => {
    await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await administrator.end();
  });
  const pool = createPool();
  const read = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows.flat();

  function createPool(): Pool {
    const pool = new Pool({ connectionString: url, max: 1 });
    pool.on('error', () => {});
    return pool;
  }

  return {
    name,
    url,
    createPool,
    /** Names of the schemas of the command. */
    schemas: () => read(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'memory\\_read%'`),
    /** Number of statements that still wait in a trigger of `spoil`. */
    sleeping: async () =>
      (await read(`SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND wait_event = 'PgSleep'`)).length,
    /** Everything in the schemas of others. */
    contents: () =>
      read(`SELECT nspname || ' ' || schema_to_xml(nspname, true, false, '')::text FROM pg_namespace
        WHERE nspname !~ '^(pg_|memory_read_check_|information_schema$)' UNION ALL
        SELECT proname::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`),
    /** Runs the body of a trigger before an event of the table, in each schema of the command. */
    spoil: (table: string, [event, condition = 'true']: readonly [string, string?], body: string) =>
      pool.query(`
        CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
        CREATE FUNCTION spoil() RETURNS event_trigger LANGUAGE plpgsql AS $$
          DECLARE command record;
          BEGIN
            FOR command IN SELECT * FROM pg_event_trigger_ddl_commands() WHERE object_identity LIKE '%.${table}' LOOP
              EXECUTE format('CREATE OR REPLACE TRIGGER change BEFORE ${event} ON %s FOR EACH ROW
                WHEN (${condition}) EXECUTE FUNCTION public.change()', command.object_identity);
            END LOOP;
          END $$;
        CREATE EVENT TRIGGER spoil ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION spoil()`),
  };
}

function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function sum(lines: Record<string, unknown>[]): number {
  return lines.reduce((total, { elapsedMs }) => total + Number(elapsedMs), 0);
}
