import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { MemoryClient } from '@memory-read/client';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { spawnCommand, startServe } from '../serving/start-serve.ts';
import { lockTables, untilWaiting } from './lock-waits.ts';

const secrets = JSON.stringify([{ id: 'a', secret: 'thirty-two-bytes-that-none-guess' }]);
const mediaSecrets = ['--media-secrets', 'env:MEDIA_SECRETS'];
const credentials = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a-secret' };
const silence = '{"transcript":null,"summary":null}';
const someCommands = [
  ['serve', '--port', '0', ...mediaSecrets],
  ['keys', 'list'],
];
let schema: TestSchema;
let folder: string;

beforeEach(async () => {
  schema = await createTestSchema();
  folder = makeFolder();
});

test('two replicas serve imported and finished memories, with a key that was created meanwhile', async () => {
  const records = ['one', 'two'].map((id) =>
    sampleRecord({ id, is_processing: true, transcript: null, summary: null }),
  );
  const imported = await run(
    ['import', '-', '--account', 'user_1'],
    records.map((record) => JSON.stringify(record)).join('\n'),
  );
  expect(JSON.parse(imported.stdout)).toMatchObject({ event: 'imported', memories: 2 });
  const { apiKey, keyId } = JSON.parse((await run(['keys', 'create', '--account', 'user_1'])).stdout);
  const replicas = await Promise.all([serve(), serve()]);
  const finished = await run(['finish', 'one', '-', '--account', 'user_1'], silence);
  expect(JSON.parse(finished.stdout)).toEqual({
    event: 'finished',
    memoryId: 'one',
    userId: 'user_1',
    shortenedDateTimes: 0,
  });
  for (const { baseUrl } of replicas) {
    const memories = await new MemoryClient({ baseUrl, apiKey }).listMemories();
    expect(memories.map(({ id, is_processing }) => [id, is_processing])).toEqual([
      ['two', true],
      ['one', false],
    ]);
  }
  expect((await run(['keys', 'revoke', keyId])).code).toBe(0);
  expect(JSON.parse((await run(['keys', 'list'])).stdout)).toMatchObject({ keyId, status: 'revoked' });
  for (const { baseUrl } of replicas) {
    await expect(new MemoryClient({ baseUrl, apiKey }).listMemories()).rejects.toMatchObject({
      code: 'authentication',
    });
  }
});

test('serve --demo stores its memories in PostgreSQL, and ends with 0', async () => {
  const server = await serve(['--demo', ...mediaSecrets]);
  expect(await new MemoryClient(server).listMemories()).toHaveLength(24);
  await server.close();
  expect(server.child.exitCode).toBe(0);
});

test('serve replaces its idle connections after they were closed', async () => {
  const { baseUrl, child } = await serve();
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  const complaint = once(child.stderr, 'data');
  const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND state = 'idle'`;
  expect((await schema.createPool().query(sql, [schema.name])).rows.length).toBeGreaterThan(0);
  expect(String(await complaint)).toMatch(
    /^Lost an idle connection to postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres: /,
  );
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
});

test('serve counts its connections to PostgreSQL, and the requests that wait for one', async () => {
  const server = await serve([...mediaSecrets, '--metrics-port', '0']);
  const { baseUrl, metricsUrl } = server as typeof server & { metricsUrl: string };
  const counts = async () =>
    (await (await fetch(metricsUrl)).text()).split('\n').filter((line) => line.startsWith('memory_read_postgres_conn'));
  const expected = (active: number, idle: number, waiting: number) =>
    Object.entries({ active, idle, waiting }).map(
      ([state, count]) => `memory_read_postgres_connections{state="${state}"} ${count}`,
    );
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  expect(await counts()).toEqual(expected(0, 1, 0));
  const release = await lockTables(schema.createPool(), ['api_keys']);
  const callers = new AbortController();
  const lists = Array.from({ length: 12 }, () =>
    fetch(`${baseUrl}/v1/memories`, { headers: { 'x-api-key': 'a' }, signal: callers.signal }),
  );
  await expect.poll(counts).toEqual(expected(10, 0, 2));
  await release();
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(Array(12).fill(401));
  await expect.poll(counts).toEqual(expected(0, 10, 0));
});

test('an aborted request is logged with its account, although the abort came before its key was checked', async () => {
  const { apiKey, keyId } = JSON.parse((await run(['keys', 'create', '--account', 'user_1'])).stdout);
  const server = await serve([...mediaSecrets, '--log', 'json']);
  let logged = '';
  server.child.stderr.on('data', (chunk) => (logged += chunk));
  const release = await lockTables(schema.createPool(), ['api_keys']);
  const caller = new AbortController();
  const headers = { 'x-api-key': apiKey, 'x-request-id': 'impatient' };
  const list = fetch(`${server.baseUrl}/v1/memories`, { headers, signal: caller.signal });
  await untilWaiting(schema, schema.createPool());
  caller.abort();
  await expect(list).rejects.toThrow();
  await fetch(`${server.baseUrl}/healthz`);
  await release();
  await fetch(`${server.baseUrl}/readyz`);
  await server.close();
  const lines = logged
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.find(({ path }) => path === '/v1/memories')).toMatchObject({
    outcome: 'aborted',
    userId: 'user_1',
    keyId,
  });
});

test('serve is not ready while its tables are locked, and ends without waiting for them', async () => {
  const { baseUrl, child, close } = await serve();
  const release = await lockTables(schema.createPool(), ['api_keys']);
  const callers = new AbortController();
  // There are more requests than connections, so some of them wait for a connection.
  const lists = Array.from({ length: 12 }, () =>
    fetch(`${baseUrl}/v1/memories`, { headers: { 'x-api-key': 'a' }, signal: callers.signal }),
  );
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(503);
  callers.abort();
  await Promise.allSettled(lists);
  await close();
  expect(child.exitCode).toBe(0);
  await release();
});

test('commands that need existing tables create none in a new database', async () => {
  for (const args of [
    ['keys', 'list'],
    ['keys', 'revoke', 'one'],
    ['finish', 'one', '-', '--account', 'user_1'],
  ]) {
    const { code, stderr } = await run(args, silence);
    expect(stderr).toMatch(/^Failed to open postgres:\S+: the database has no memories tables\. Check --postgres\./);
    expect(code).toBe(1);
  }
});

test('ends with 4 if PostgreSQL has no such memory', async () => {
  await run(['keys', 'create', '--account', 'user_1']);
  const { code, stderr } = await run(['finish', 'one', '-', '--account', 'user_1'], silence);
  expect([code, stderr]).toEqual([
    4,
    'Failed to finish "one": the account "user_1" has no such memory. Check both ids.\n',
  ]);
});

test.each([
  ['a port on which nothing listens', (url: URL) => Object.assign(url, { port: '1' }), 'the connection was refused.'],
  [
    'an unknown user',
    (url: URL) => Object.assign(url, { username: 'eve' }),
    'the server rejected the user or the password',
  ],
  ['an unknown database', (url: URL) => Object.assign(url, { pathname: '/none' }), 'the database does not exist.'],
])('reports %s in one line without the password', async (_, change, message) => {
  const url = change(Object.assign(new URL(schema.url), { password: 'hush' }));
  await expectRefusals(url.href, message, [...someCommands, ['import', '-', '--account', 'user_1']]);
});

test('uses the password of the URL or of PGPASSWORD, and reports a wrong or missing one at once', async () => {
  const username = await createUserWithPassword();
  const tablesAreMissing =
    /: the database has no memories tables|: its tables are missing, and the user may not create them|: the user lacks a privilege|: no schema exists/;
  for (const [password, env] of [['hush'], ['', { PGPASSWORD: 'hush' }]] as const) {
    const url = Object.assign(new URL(schema.url), { username, password }).href;
    expect((await runWith(url, ['keys', 'list'], '', env)).stderr).toMatch(tablesAreMissing);
  }
  const wrong = `the server rejected the user or the password (password authentication failed for user "${username}"). Check both, `;
  const missing = 'the server requires a password, and there is none. Add it to the URL of the database, ';
  for (const [password, message, commands] of [
    ['hush-too', wrong],
    ['', missing, [['keys', 'list']]],
  ] as const) {
    await expectRefusals(Object.assign(new URL(schema.url), { username, password }).href, message, commands);
  }
});

test('commands reject tables of a newer version, of another application, and without permission', async () => {
  await run(['keys', 'create', '--account', 'user_1']);
  const pool = schema.createPool();
  const user = `user_${randomUUID().slice(0, 8)}`;
  await pool.query(`CREATE ROLE ${user} LOGIN; GRANT USAGE ON SCHEMA ${schema.name} TO ${user}`);
  const asOther = Object.assign(new URL(schema.url), { username: user }).href;
  await expectRefusals(
    asOther,
    /the user lacks a privilege \(permission denied for table \w+\)\. Grant it, or use another user\./,
  );
  await pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
  await pool.query('INSERT INTO memory_read_versions (version) VALUES (9999)');
  await expectRefusals(
    schema.url,
    'its schema has version 9999, but this software supports only 4. Update the software.',
  );
  await pool.query('DROP TABLE memory_read_versions, memories, api_keys, accounts; CREATE TABLE accounts (of TEXT)');
  await expectRefusals(
    schema.url,
    /(it contains tables of another application|the database has no memories tables)\. /,
  );
});

async function expectRefusals(
  url: string,
  reason: string | RegExp,
  commands: readonly (readonly string[])[] = someCommands,
): Promise<void> {
  const refusals = await Promise.all(commands.map((args) => runWith(url, args, silence)));
  for (const { code, stdout, stderr } of refusals) {
    expect(stderr).toMatch(/^Failed to (use|open) postgres:\/\/\w+@127\.0\.0\.1:\d+\/\w+: [^\n]+\.\n$/);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain('hush');
    expect([code, stdout]).toEqual([1, '']);
  }
}

async function isAccepted(user: string): Promise<boolean> {
  const pool = schema.createPool({ connectionString: Object.assign(new URL(schema.url), { username: user }).href });
  return pool.query('SELECT').then(
    () => true,
    () => false,
  );
}

/** For other users, the server requires no password. */
async function createUserWithPassword(): Promise<string> {
  const user = `user_${randomUUID().slice(0, 8)}`;
  const pool = schema.createPool();
  await pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'hush'`);
  const [setting] = (await pool.query('SHOW hba_file')).rows;
  const rules = [`host all ${user} 127.0.0.1/32 scram-sha-256`, 'host all all 127.0.0.1/32 trust'];
  await pool.query(`COPY (SELECT unnest(ARRAY['${rules.join("','")}'])) TO '${setting.hba_file}'`);
  await pool.query('SELECT pg_reload_conf()');
  while (await isAccepted(user));
  onTestFinished(async () => void (await schema.createPool().query(`DROP ROLE ${user}`)));
  return user;
}

test('with media in S3, PostgreSQL requires no media secrets', async () => {
  const record = sampleRecord({ id: 'one', media: { audio: { object_key: 'a.wav', content_type: 'audio/wav' } } });
  await run(['import', '-', '--account', 'user_1'], JSON.stringify(record));
  const { apiKey } = JSON.parse((await run(['keys', 'create', '--account', 'user_1'])).stdout);
  const s3 = ['--s3-endpoint', 'https://storage.example', '--s3-region', 'eu-central-1', '--s3-bucket', 'media'];
  const { baseUrl } = await serve(s3);
  const [memory] = await new MemoryClient({ baseUrl, apiKey }).listMemories();
  expect(memory?.audio_url).toMatch(/^https:\/\/media\.storage\.example\/a\.wav\?.*X-Amz-Signature=/);
});

test.each([
  ['serve without media secrets', ['serve'], /^Failed to start: --postgres needs --media-secrets/],
  ['a file beside it', ['keys', 'list', '--db', 'x'], /option '--postgres <source>' cannot be used with option '--db/],
  ['a demonstration in memory', ['serve', '--in-memory'], /option '--in-memory' cannot be used with option/],
  [
    'a password that is not encoded',
    ['keys', 'list'],
    /^Failed to read --postgres: a special character in it/,
    'hu/sh',
  ],
])('rejects %s as incorrect usage', async (_, args, message, password = 'hush') => {
  const { code, stderr } = await runWith(`postgres://ada:${password}@127.0.0.1/memories`, args);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/hu|sh@/);
  expect(code).toBe(2);
});

function surroundings() {
  const env = { ...credentials, NO_COLOR: '1', NODE_OPTIONS: '', MEDIA_SECRETS: secrets };
  return { cwd: folder, env, isFromSources: true, stderr: 'ignore' } as const;
}

function run(args: readonly string[], input = '') {
  return runWith(schema.url, args, input);
}

async function runWith(url: string, args: readonly string[], input = '', env: Record<string, string> = {}) {
  const { env: common, ...others } = surroundings();
  const child = spawnCommand([...args, '--postgres', url], { ...others, env: { ...common, ...env } });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}

async function serve(args: readonly string[] = mediaSecrets) {
  const server = await startServe([...args, '--postgres', schema.url], surroundings());
  onTestFinished(server.close);
  return server;
}
