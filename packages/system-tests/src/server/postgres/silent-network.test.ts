import { makeFolder } from '@memory-read/test-kit/make-folder';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { fillPostgres } from '../faults/postgres-service.ts';
import { startTcpProxy, type TcpProxy, throughProxy } from '../faults/start-tcp-proxy.ts';
import { type ServeProcess, startServe } from '../serving/start-serve.ts';
import { lockTables } from './lock-waits.ts';

const env = {
  NO_COLOR: '1',
  NODE_OPTIONS: '',
  MEDIA_SECRETS: '[{"id":"a","secret":"thirty-two-bytes-that-none-guess"}]',
};
const poolSize = 6;
type Database = Pick<TestSchema, 'url' | 'createPool'>;

let database: Database;
let proxy: TcpProxy;
let server: ServeProcess;
let key: string;

async function start(opened: Promise<Database>): Promise<void> {
  database = await opened;
  key = await fillPostgres(database.url, [sampleRecord({ id: 'one' })]);
  proxy = await startTcpProxy(Number(new URL(database.url).port));
  onTestFinished(() => proxy.close());
  const args = ['--media-secrets', 'env:MEDIA_SECRETS', '--postgres', throughProxy(database.url, proxy)];
  server = await startServe([...args, '--postgres-pool-size', String(poolSize), '--postgres-read-timeout', '1s'], {
    cwd: makeFolder(),
    env,
    isFromSources: true,
    stderr: 'ignore',
  });
  onTestFinished(() => server.close());
  // The pool opens a connection for each request that finds all others in use.
  while (proxy.open() < poolSize) await Promise.all(Array.from({ length: 3 * poolSize }, () => ask()));
  expect([proxy.open(), proxy.ended()]).toEqual([poolSize, 0]);
}

/** A database whose server accepts only encrypted connections. */
async function openEncrypted(): Promise<Database> {
  const postgres = await startPostgres({ isTlsRequired: true });
  onTestFinished(postgres.stop);
  const url = `${postgres.url}?sslmode=no-verify`;
  return {
    url,
    createPool() {
      const pool = new Pool({ connectionString: url });
      onTestFinished(() => pool.end());
      return pool;
    },
  };
}

const transports = [
  ['', createTestSchema],
  [', with TLS', openEncrypted],
] as const;

test.each(transports)(
  'a network that becomes silent costs a read timeout: all connections are replaced, idle ones too%s',
  async (_, open) => {
    await start(open());
    proxy.swallow();
    const began = performance.now();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([500, 500, 500]);
    // Without a limit for reads, it takes a minute.
    expect(performance.now() - began).toBeLessThan(30_000);
    proxy.forward();
    // Each idle connection that was left would make one of them fail.
    expect(await Promise.all(Array.from({ length: 12 }, () => ask()))).toEqual(Array(12).fill(200));
    await expect.poll(() => proxy.ended()).toBe(poolSize);
    expect(server.child.exitCode).toBeNull();
  },
);

test.each(transports)(
  'a lock that one read waits for does not cost other readers their connections%s',
  async (_, open) => {
    await start(open());
    const release = await lockTables(database.createPool(), ['memories']);
    let isWaiting = true;
    const slow = ask().finally(() => (isWaiting = false));
    const others: number[] = [];
    const readOthers = async () => {
      // Each of them reads the keys, which are not locked.
      while (isWaiting) others.push(await ask('unknown'));
    };
    await Promise.all([slow, readOthers(), readOthers()]);
    await release();
    expect(await slow).toBe(500);
    expect(new Set(others)).toEqual(new Set([401]));
    await expect.poll(() => proxy.ended()).toBe(1);
    expect(await ask()).toBe(200);
  },
);

test('connections that PostgreSQL ends during a read do not end the process', async () => {
  await start(createTestSchema());
  const pool = database.createPool();
  const release = await lockTables(pool, ['memories']);
  const reads = Promise.all([ask(), ask(), ask()]);
  const end = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND relation = 'memories'::regclass`;
  for (let ended = 0; ended < 3; ) ended += (await pool.query(end)).rows.length;
  expect(await reads).toEqual([500, 500, 500]);
  await release();
  expect(await ask()).toBe(200);
  expect(server.child.exitCode).toBeNull();
});

async function ask(apiKey = key): Promise<number> {
  const response = await fetch(`${server.baseUrl}/v1/memories/one`, { headers: { 'x-api-key': apiKey } });
  await response.text();
  return response.status;
}
