import { randomUUID } from 'node:crypto';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { Pool, type PoolConfig } from 'pg';
import { inject, onTestFinished } from 'vitest';

/** An empty schema for one test, and pools whose connections use only this schema. */
export interface TestSchema {
  name: string;
  /** URL for the command line, which uses the schema. */
  url: string;
  createPool(config?: PoolConfig): Pool;
}

/** Creates the schema. After the test, its pools end and it is dropped. */
export async function createTestSchema(): Promise<TestSchema> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const base = inject('postgresUrl');
  // By the name, a test finds its own connections on a server that others use too.
  const url = `${base}?options=-csearch_path%3D${name}&application_name=${name}`;
  const pools: Pool[] = [];
  const administrator = new Pool({ connectionString: base, max: 1 });
  administrator.on('error', () => {});
  await administrator.query(`CREATE SCHEMA ${name}`);
  onTestFinished(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    // A statement whose caller gave up still runs in the server, and would lock what is dropped.
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${name}'`;
    while ((await administrator.query(end)).rowCount !== 0);
    await administrator.query(`DROP SCHEMA ${name} CASCADE`);
    await administrator.end();
  });
  return {
    name,
    url,
    createPool(config) {
      const pool = new Pool({ connectionString: url, max: 4, ...config });
      pool.on('error', () => {});
      pools.push(pool);
      return pool;
    },
  };
}

/** An empty store in its own schema, which ends with the test. */
export async function createTestStore(): Promise<ReturnType<typeof createPostgresStore>> {
  const pool = (await createTestSchema()).createPool();
  await migratePostgresStore({ pool });
  return createPostgresStore({ pool });
}
