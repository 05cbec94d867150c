import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import type { Pool } from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { testWrittenContent } from './test-written-content.ts';

const written = globSync('postgres-schema-*.sql', { cwd: import.meta.dirname }).sort();

describe.each(written)('%s, migrated by this version,', (name) => {
  testWrittenContent(async () => {
    const pool = (await createTestSchema()).createPool();
    await load(name, pool);
    await migratePostgresStore({ pool });
    return createPostgresStore({ pool });
  });
});

describe('the databases of this folder', () => {
  let schemas: { present: TestSchema; older: TestSchema };
  beforeEach(async () => {
    schemas = { present: await createTestSchema(), older: await createTestSchema() };
    await migratePostgresStore({ pool: schemas.present.createPool() });
  });

  test('every schema of PostgreSQL up to the current one has a database that was written with it', async () => {
    const expected = (await versions(schemas.present.createPool())).map((schema) => `postgres-schema-${schema}.sql`);
    expect(written, 'write the one of a new schema with write-database.ts').toEqual(expected);
  });

  test.each(['a new database', ...written])(
    'eight processes that start together bring %s to the newest tables',
    async (name) => {
      const pools = Array.from({ length: 8 }, () => schemas.older.createPool());
      const [pool] = pools as [Pool];
      if (written.includes(name)) {
        await load(name, pool);
        expect(`postgres-schema-${(await versions(pool)).at(-1)}.sql`).toBe(name);
      }
      await Promise.all(pools.map((each) => each.query('SELECT 1')));
      await Promise.all(pools.map((each) => migratePostgresStore({ pool: each })));
      expect(await tables(schemas.older)).toEqual(await tables(schemas.present));
      expect(await versions(pool)).toEqual(await versions(schemas.present.createPool()));
    },
  );

  test('an upgrade covers more memories than one statement changes', async () => {
    const pool = schemas.older.createPool();
    await load('postgres-schema-1.sql', pool);
    const copies = `INSERT INTO memories SELECT concat(prefix, number, id), user_id, name, started_at, previous_started_at,
      ended_at, is_processing, duration_seconds, media_json, summary_json, transcript_json
      FROM (SELECT * FROM memories LIMIT 1) AS one, generate_series(1, 700) AS number, unnest($1::text[]) AS prefix`;
    await pool.query(copies, [['a', 'Z', 'é', '\u{ffee}', '\u{1f600}']]);
    const { rows: before } = await pool.query('SELECT id, name FROM memories ORDER BY id');
    await migratePostgresStore({ pool });
    const { rows } = await pool.query("SELECT id, record_json::json->>'name' AS name FROM memories ORDER BY id");
    expect(before.length).toBeGreaterThan(3_500);
    expect(rows).toEqual(before);
  });

  test('an upgrade that fails does not change the database', async () => {
    const pool = schemas.older.createPool();
    await load('postgres-schema-1.sql', pool);
    await pool.query("UPDATE memories SET media_json = 'no JSON' WHERE id = 'mem_processing'");
    const before = await tables(schemas.older);
    await expect(migratePostgresStore({ pool })).rejects.toThrow();
    expect(await tables(schemas.older)).toEqual(before);
    expect(await versions(pool)).toEqual([1]);
  });
});

async function load(name: string, pool: Pool): Promise<void> {
  await pool.query(readFileSync(join(import.meta.dirname, name), 'utf8'));
}

async function versions(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query('SELECT version FROM memory_read_versions ORDER BY version');
  return rows.map(({ version }) => version);
}

/** Returns all columns, indexes and constraints as text. */
async function tables(schema: TestSchema): Promise<string[]> {
  const sql = `
    SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = current_schema()
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
    UNION ALL SELECT concat(conrelid::regclass, ' ', conname, ' ', pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
    ORDER BY line`;
  const { rows } = await schema.createPool().query(sql);
  return rows.map(({ line }) => line.replaceAll(schema.name, 'the schema'));
}
