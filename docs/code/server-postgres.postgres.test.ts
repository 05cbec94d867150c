import { createMemories } from '@memory-read/fixtures';
import {
  checkPostgresSchema,
  createPostgresStore,
  migratePostgresStore,
  watchPostgresReplicas,
} from '@memory-read/server/postgres';
import { Pool } from 'pg';
import { afterAll, expect, inject, test, vi } from 'vitest';

const records = createMemories({ count: 3, seed: 7, now: '2026-01-01T00:00:00Z' });
vi.stubEnv('DATABASE_URL', inject('postgresUrl'));
// The tests share one server, which is not a replica. So the reads of the example use the primary.
vi.stubEnv('REPLICA_URL', inject('postgresUrl'));

// #region postgres-pool
const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  connectionTimeoutMillis: 10_000,
  statement_timeout: 10_000, // otherwise a statement waits for a lock without a limit
});
// The pool replaces a broken idle connection. Without this listener, the error would end the process.
pool.on('error', ({ message }) => console.error(message));
// #endregion
afterAll(() => pool.end());

test('the examples of the PostgreSQL store do what they show', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await show();
  expect(log.mock.calls).toEqual([
    [records[0]?.name],
    [{ type: 'replica', name: 'db2', state: 'no-replica', lag: null }],
    [records[0]?.name],
  ]);
});

async function show(): Promise<void> {
  {
    // #region migrate-postgres-store
    await migratePostgresStore({ pool });
    const store = createPostgresStore({ pool });
    await store.putAccount({ userId: 'user_1' });
    await store.putMemories('user_1', records);
    // #endregion
  }
  // #region check-postgres-schema
  await checkPostgresSchema({ pool }); // rejects if this software does not support the schema
  // #endregion
  {
    // #region create-postgres-store
    const store = createPostgresStore({ pool, statementTimeout: 5_000 });
    const memory = await store.getMemory({ userId: 'user_1', memoryId: records[0]?.id ?? '' });
    console.log(memory?.name);
    // #endregion
  }
  // #region watch-postgres-replicas
  const replicaPool = new Pool({ connectionString: process.env.REPLICA_URL, connectionTimeoutMillis: 10_000 });
  replicaPool.on('error', ({ message }) => console.error(message));
  const replicas = watchPostgresReplicas({
    primary: pool,
    replicas: [{ name: 'db2', pool: replicaPool }],
    maxLag: 5_000,
    onChange: (event) => console.log(event),
  });
  await replicas.checked;
  const store = createPostgresStore({ pool, replicas });
  const memory = await store.getMemory({ userId: 'user_1', memoryId: records[0]?.id ?? '' });
  console.log(memory?.name);
  await replicas.close(); // before the pools end
  // #endregion
  await replicaPool.end();
}
