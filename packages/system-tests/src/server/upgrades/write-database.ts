/**
 * Writes the database of the present schema, once: what an older version wrote must stay as that version wrote it.
 * A name that ends in `.sqlite` is one of SQLite; any other is the SQL of one of PostgreSQL.
 *
 * node --conditions=@memory-read/source packages/system-tests/src/server/upgrades/write-database.ts postgres-schema-3.sql
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashApiKey } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { openSqliteStore } from '@memory-read/server/sqlite';
import type { WholeStore } from '@memory-read/test-kit/memory-service';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { watchStatements } from '@memory-read/test-kit/postgres/watch-statements';
import { escapeIdentifier, escapeLiteral, Pool } from 'pg';
import { account, apiKeys, memories } from './written-content.ts';

const [, , name = ''] = process.argv;
const path = join(import.meta.dirname, name);
if (existsSync(path)) {
  throw new Error(`Failed to write ${path}: the file exists. Choose another path.`);
}
if (name.endsWith('.sqlite')) {
  const store = openSqliteStore({ path });
  await fill(store);
  // Closing the last connection moves the write-ahead log into the database file.
  await store.close();
} else {
  writeFileSync(path, `${(await statementsOfPostgres()).join('\n')}\n`);
}

/** Stores the content of every database next to this file in a new one. */
async function fill(store: WholeStore): Promise<void> {
  await store.putAccount(account);
  // Stores each memory with two starts, so that the count of moves is not that of a new database.
  await store.putMemories(
    account.userId,
    memories.map((memory) => ({ ...memory, started_at: '2026-01-01T00:00:00.000Z' })),
  );
  await store.putMemories(account.userId, memories);
  for (const { keyId, key, expiresAt } of Object.values(apiKeys)) {
    await store.putApiKey({ keyId, keyHash: hashApiKey(key), userId: account.userId, expiresAt });
  }
  await store.revokeApiKey(apiKeys.revoked.keyId);
}

async function statementsOfPostgres(): Promise<string[]> {
  const server = await startPostgres();
  const pool = new Pool({ connectionString: server.url, max: 1 });
  // `pool.end` does not wait until its connection is closed, so it may still get the shutdown message of PostgreSQL.
  pool.on('error', () => {});
  const statements: string[] = [];
  watchStatements(pool, ({ text }) => {
    if (/^\s*(CREATE|ALTER|DROP)\b/.test(text)) statements.push(`${text};`);
  });
  await migratePostgresStore({ pool });
  await fill(createPostgresStore({ pool }));
  // Tables are read in the order of their creation, because each one may refer to earlier ones.
  const sql = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY oid`;
  for (const { relname } of (await pool.query(sql)).rows) statements.push(...(await rowsOf(pool, relname)));
  await pool.end();
  await server.stop();
  return statements;
}

/** As PostgreSQL writes the values, whatever their types. */
async function rowsOf(pool: Pool, relation: string): Promise<string[]> {
  const table = escapeIdentifier(relation);
  const { fields, rows } = await pool.query<(string | null)[]>({
    text: `SELECT * FROM ${table} ORDER BY 1`,
    rowMode: 'array',
    types: { getTypeParser: () => String },
  });
  const columns = fields.map((field) => escapeIdentifier(field.name)).join(', ');
  return rows.map((row) => {
    const values = row.map((value) => (value === null ? 'NULL' : escapeLiteral(value)));
    return `INSERT INTO ${table} (${columns}) VALUES (${values.join(', ')});`;
  });
}
