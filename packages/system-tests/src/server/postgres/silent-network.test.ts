import { tmpdir } from 'node:os';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fillPostgres, requestWithKey, servePostgres } from '../faults/postgres-service.ts';
import { startTcpProxy, type TcpProxy, throughProxy } from '../faults/start-tcp-proxy.ts';
import type { ServeProcess } from '../serving/start-serve.ts';
import { lockTables } from './lock-waits.ts';

const poolSize = 6;

let url: string;
let proxy: TcpProxy;
let server: ServeProcess;
let key: string;

beforeEach(async () => {
  const postgres = await startPostgres({ isTlsRequired: true });
  onTestFinished(postgres.stop);
  url = `${postgres.url}?sslmode=no-verify`;
  key = await fillPostgres(url, [sampleRecord({ id: 'one' })]);
  proxy = await startTcpProxy(Number(new URL(url).port));
  onTestFinished(() => proxy.close());
  const limits = ['--postgres-pool-size', String(poolSize), '--postgres-read-timeout', '1s'];
  server = await servePostgres(throughProxy(url, proxy), tmpdir(), limits);
  onTestFinished(() => server.close());
  // The pool opens a connection for each request that finds all others in use.
  while (proxy.open() < poolSize) await Promise.all(Array.from({ length: 3 * poolSize }, () => ask()));
  expect([proxy.open(), proxy.ended()]).toEqual([poolSize, 0]);
});

test('a network with TLS that becomes silent costs a read timeout: all connections are replaced, idle ones too', async () => {
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
});

test('with TLS, a lock that one read waits for does not cost other readers their connections', async () => {
  const pool = new Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const release = await lockTables(pool, ['memories']);
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
});

async function ask(apiKey = key): Promise<number> {
  const response = await requestWithKey(server, apiKey, '/v1/memories/one');
  await response.text();
  return response.status;
}
