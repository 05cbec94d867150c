import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { MemoryClient } from '@memory-read/client';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type ServeProcess, startServe } from '../serving/start-serve.ts';
import { lockTables } from './lock-waits.ts';
import { runCommand } from './run-command.ts';

const mediaSecrets = ['--media-secrets', 'env:MEDIA_SECRETS'];
const secrets = '[{"id":"a","secret":"thirty-two-bytes-that-none-guess"}]';
const silence = '{"transcript":null,"summary":null}';
let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
});

test('two processes serve imported and finished memories, with a key that was created meanwhile', async () => {
  const records = ['one', 'two'].map((id) =>
    sampleRecord({ id, is_processing: true, transcript: null, summary: null }),
  );
  const imported = await run(
    ['import', '-', '--account', 'user_1'],
    records.map((record) => JSON.stringify(record)).join('\n'),
  );
  expect(JSON.parse(imported.stdout)).toMatchObject({ event: 'imported', memories: 2 });
  const { apiKey, keyId } = await createKey();
  const servers = await Promise.all([serve(), serve()]);
  const finished = await run(['finish', 'one', '-', '--account', 'user_1'], silence);
  expect(JSON.parse(finished.stdout)).toMatchObject({ event: 'finished', memoryId: 'one', userId: 'user_1' });
  for (const { baseUrl } of servers) {
    const memories = await new MemoryClient({ baseUrl, apiKey }).listMemories();
    expect(memories.map(({ id, is_processing }) => [id, is_processing])).toEqual([
      ['two', true],
      ['one', false],
    ]);
  }
  expect((await run(['keys', 'revoke', keyId])).code).toBe(0);
  expect(JSON.parse((await run(['keys', 'list'])).stdout)).toMatchObject({ keyId, status: 'revoked' });
  for (const { baseUrl } of servers) {
    await expect(new MemoryClient({ baseUrl, apiKey }).listMemories()).rejects.toMatchObject({
      code: 'authentication',
    });
  }
});

test('serve --demo stores its memories in PostgreSQL, and ends with 0', async () => {
  const server = await serve(['--demo', ...mediaSecrets]);
  expect(await new MemoryClient({ baseUrl: server.baseUrl, apiKey: server.apiKey }).listMemories()).toHaveLength(24);
  await server.close();
  expect(server.child.exitCode).toBe(0);
});

test('without a free file, a request that needs a connection to PostgreSQL fails in one line', async () => {
  const server = await serve(['--demo', ...mediaSecrets], { openFiles: 64 });
  let printed = '';
  server.child.stderr.on('data', (chunk) => (printed += chunk));
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true }));
  onTestFinished(() => {
    for (const agent of agents) agent.destroy();
  });
  const ask = (path: string) => Promise.all(agents.map((agent) => statusOf(server, path, agent)));
  await ask('/healthz');
  const port = Number(new URL(server.baseUrl).port);
  const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await expect.poll(() => printed).toContain('(EMFILE)');
  printed = '';
  // The pool keeps one connection, and the others need new ones.
  expect(await ask('/v1/memories')).toContain(500);
  await expect.poll(() => printed).toMatch(/\n$/);
  const failures = printed.trimEnd().split('\n');
  for (const failure of failures) {
    expect(failure).toMatch(
      /^Failed to answer request req_\S+ \(listMemories\): Failed to open a file or a connection: .* \(EMFILE\)\. Raise /,
    );
  }
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

test('while its tables are locked, serve counts the requests that wait, is not ready, and ends without them', async () => {
  const server = await serve([...mediaSecrets, '--metrics-port', '0', '--postgres-read-timeout', '1m']);
  const { baseUrl, metricsUrl } = server as typeof server & { metricsUrl: string };
  const counts = async () =>
    (await (await fetch(metricsUrl)).text()).split('\n').filter((line) => line.startsWith('memory_read_postgres_conn'));
  const expected = (active: number, idle: number, waiting: number) =>
    Object.entries({ active, idle, waiting }).map(
      ([state, count]) => `memory_read_postgres_connections{state="${state}"} ${count}`,
    );
  const callers = new AbortController();
  const lists = () =>
    Array.from({ length: 12 }, () =>
      fetch(`${baseUrl}/v1/memories`, { headers: { 'x-api-key': 'a' }, signal: callers.signal }),
    );
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  expect(await counts()).toEqual(expected(0, 1, 0));

  const release = await lockTables(schema.createPool(), ['api_keys']);
  const patient = lists();
  await expect.poll(counts).toEqual(expected(10, 0, 2));
  await release();
  expect((await Promise.all(patient)).map(({ status }) => status)).toEqual(Array(12).fill(401));
  await expect.poll(counts).toEqual(expected(0, 10, 0));

  const releaseAtEnd = await lockTables(schema.createPool(), ['api_keys']);
  const aborted = lists();
  // A success counts for a second.
  await expect.poll(async () => (await fetch(`${baseUrl}/readyz`)).status).toBe(503);
  callers.abort();
  await Promise.allSettled(aborted);
  const began = performance.now();
  await server.close();
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(server.child.exitCode).toBe(0);
  await releaseAtEnd();
});

test.each([
  ['keys', 'list'],
  ['keys', 'revoke', 'one'],
  ['finish', 'one', '-', '--account', 'user_1'],
])('%s %s creates no tables in a new database', async (...args) => {
  const { code, stderr } = await run(args, silence);
  expect(stderr).toMatch(/^Failed to open postgres:\S+: the database has no memories tables\. Check --postgres\./);
  expect(code).toBe(1);
});

const commands = {
  serve: ['serve', '--port', '0', ...mediaSecrets],
  import: ['import', '-', '--account', 'user_1'],
  'keys list': ['keys', 'list'],
};

test.each(Object.keys(commands) as (keyof typeof commands)[])(
  '%s prints one line, without a stack, when tables are locked and when PostgreSQL rejects a setting',
  async (name) => {
    await createKey();
    const runWith = (setting: string) => {
      const url = schema.url.replace('?options=', `?options=-c${encodeURIComponent(setting)}%20`);
      const input = name === 'import' ? JSON.stringify(sampleRecord({ id: 'one' })) : silence;
      return runCommand(url, commands[name], { input, env: { MEDIA_SECRETS: secrets } });
    };
    const rejected = await runWith('no_such_setting=1');
    expect(rejected.stderr).toMatch(
      /^Failed to use postgres:\S+: the server rejected a setting \(.*no_such_setting.*\)\. Check the options of the connection\.\n$/,
    );
    expect(rejected.code).toBe(1);
    const unlock = await lockTables(schema.createPool(), ['memory_read_versions', 'accounts', 'memories', 'api_keys']);
    const waited = await runWith('lock_timeout=50ms');
    expect(waited.stderr).toMatch(
      /^Failed to use postgres:\S+: a statement waited too long for a lock\. Try again\.\n$/,
    );
    expect(waited.code).toBe(5);
    await unlock();
  },
);

test('with media in S3, PostgreSQL requires no media secrets', async () => {
  const s3 = ['--s3-endpoint', 'https://storage.example', '--s3-region', 'eu-central-1', '--s3-bucket', 'media'];
  const { baseUrl } = await serve(s3);
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
});

function run(args: readonly string[], input = '') {
  return runCommand(schema.url, args, { input });
}

async function createKey(): Promise<{ apiKey: string; keyId: string }> {
  return JSON.parse((await run(['keys', 'create', '--account', 'user_1'])).stdout);
}

/** Returns the status of a response, after the whole response. */
async function statusOf({ baseUrl, apiKey }: ServeProcess, path: string, agent: Agent): Promise<number | undefined> {
  const request = get(baseUrl + path, { agent, headers: { 'x-api-key': apiKey } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await text(response);
  return response.statusCode;
}

async function serve(args: readonly string[] = mediaSecrets, { openFiles }: { openFiles?: number } = {}) {
  const env = {
    ...{ AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a-secret', NO_COLOR: '1', NODE_OPTIONS: '' },
    MEDIA_SECRETS: secrets,
  };
  const options = { cwd: makeFolder(), env, openFiles, stderr: 'ignore' } as const;
  const server = await startServe([...args, '--postgres', schema.url], options);
  onTestFinished(server.close);
  return server;
}
