/**
 * Writes the PostgreSQL database of the present schema as SQL, once: what an older version wrote must stay as that
 * version wrote it.
 *
<<<<<<< HEAD:packages/system-tests/src/server/upgrades/write-postgres-database.ts
 * node --conditions=@memory-read/source packages/system-tests/src/server/upgrades/write-postgres-database.ts postgres-schema-1.sql
=======
 * node --conditions=@memory-read/source packages/system-tests/src/upgrades/write-postgres-database.ts postgres-schema-2.sql
>>>>>>> b9fdf38 (wip):packages/system-tests/src/upgrades/write-postgres-database.ts
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { escapeIdentifier, escapeLiteral, Pool } from 'pg';
import { startPostgres } from '../postgres/start-postgres.ts';
import { writeContent } from './write-content.ts';

const [, , name = ''] = process.argv;
const path = join(import.meta.dirname, name);
if (existsSync(path)) {
  throw new Error(`Failed to write ${path}: because it is there already. Name one of a schema that has none.`);
}

const server = await startPostgres();
const pool = new Pool({ connectionString: server.url, max: 1 });
// Its connection outlives `end` by a moment, in which the server ends it.
pool.on('error', () => {});
const schema: string[] = [];
pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  Object.assign(client, {
    query(text: unknown, ...rest: unknown[]) {
      if (/^\s*(CREATE|ALTER|DROP)\b/.test(String(text))) schema.push(`${text};`);
      return query(text, ...rest);
    },
  });
});

await migratePostgresStore({ pool });
await writeContent(createPostgresStore({ pool }));
writeFileSync(path, `${[...schema, ...(await rowsOfAllTables())].join('\n')}\n`);
await pool.end();
await server.stop();

/** In the order in which the tables were made, in which each can refer to those before it. */
async function rowsOfAllTables(): Promise<string[]> {
  const sql = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY oid`;
  const tables = (await pool.query(sql)).rows.map(({ relname }) => escapeIdentifier(relname));
  return (await Promise.all(tables.map(rowsOf))).flat();
}

/** As PostgreSQL writes the values, whatever their types. */
async function rowsOf(table: string): Promise<string[]> {
  const types = { getTypeParser: () => String };
  const { fields, rows } = await pool.query<(string | null)[]>({
    text: `SELECT * FROM ${table} ORDER BY 1`,
    rowMode: 'array',
    types,
  });
  const columns = fields.map((field) => escapeIdentifier(field.name)).join(', ');
  return rows.map((row) => {
    const values = row.map((value) => (value === null ? 'NULL' : escapeLiteral(value)));
    return `INSERT INTO ${table} (${columns}) VALUES (${values.join(', ')});`;
  });
}
