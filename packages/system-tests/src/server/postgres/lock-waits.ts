import type { TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';

/** Resolves when this number of connections of the schema's pools wait for a lock. */
export async function untilWaiting(schema: TestSchema, pool: Pool, connections = 1): Promise<void> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = $1`;
  while ((await pool.query(sql, [schema.name])).rows.length < connections);
}

/** Locks these tables for every other statement, until the returned function is called. */
export function lockTables(pool: Pool, tables: readonly string[]): Promise<() => Promise<void>> {
  return hold(pool, `LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
}

/** Runs a statement in an open transaction, which the returned function commits. */
export async function hold(pool: Pool, statement: string): Promise<() => Promise<void>> {
  const connection = await pool.connect();
  // Otherwise the end of a test that fails would wait for this lock for minutes.
  onTestFinished(() => connection.release(true));
  await connection.query('BEGIN');
  await connection.query(statement);
  return async () => void (await connection.query('COMMIT'));
}
