import { randomUUID } from 'node:crypto';
import { createPostgresStore, migratePostgresStore, watchPostgresReplicas } from '@memory-read/server/postgres';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '@memory-read/server/testing';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let primary: PostgresServer;
let replica: PostgresServer;
let readsOfReplica = 0;

beforeAll(async () => {
  primary = await startPostgres();
  replica = await primary.startStandby();
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.query('SELECT pg_reload_conf()');
  const states = () => primary.query('SELECT sync_state FROM pg_stat_replication');
  await vi.waitFor(async () => expect(await states()).toEqual([{ sync_state: 'sync' }]), 30_000);
});

afterAll(async () => {
  await replica?.stop();
  await primary?.stop();
});

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(createHarness)) test(title, run);
}

test('the replica served these cases', () => {
  expect(readsOfReplica).toBeGreaterThan(100);
});

/** A store in a schema of its own, which reads only from the replica. */
async function createHarness() {
  const schema = `test_${randomUUID().replaceAll('-', '')}`;
  await primary.query(`CREATE SCHEMA ${schema}`);
  // A write ends when the replica shows it, so every rule holds for reads from the replica too.
  const options = `-c search_path=${schema} -c synchronous_commit=remote_apply`;
  const createPool = ({ url }: PostgresServer) => new Pool({ connectionString: url, options }).on('error', () => {});
  const [pool, replicaPool] = [createPool(primary), createPool(replica)];
  await migratePostgresStore({ pool });
  const replicas = watchPostgresReplicas({
    primary: pool,
    replicas: [{ name: 'replica', pool: replicaPool }],
    maxLag: 60_000, // a busy machine must not end the use of the replica
  });
  expect(await replicas.checked).toMatchObject([{ state: 'used' }]);
  return toStoreHarness(createPostgresStore({ pool, replicas }), async () => {
    const { replica, fallback } = replicas.counts();
    expect(fallback).toBe(0);
    readsOfReplica += replica;
    await replicas.close();
    await Promise.all([pool.end(), replicaPool.end()]);
  });
}
