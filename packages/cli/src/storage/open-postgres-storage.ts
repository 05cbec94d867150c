import { createPostgresStore, migratePostgresStore, PostgresStoreError } from '@memory-read/server/postgres';
import { Pool } from 'pg';
import { CommandError, exitCodes } from '../errors/command-error.ts';
import { postgresPlace } from './postgres-url.ts';
import type { Storage } from './storage.ts';

/**
 * The storage in the PostgreSQL database of the URL, whose tables are made where `canCreate` allows it.
 *
 * @throws PostgresStoreError or CommandError when the database cannot be used; neither holds the password.
 */
export async function openPostgresStorage(url: string, { canCreate }: { canCreate: boolean }): Promise<Storage> {
  const name = postgresPlace(url);
  const pool = createPool(url, name);
  const store = createPostgresStore({ pool, name });
  try {
    if (canCreate) await migratePostgresStore({ pool, name });
    else await store.findAccount('');
  } catch (error) {
    await pool.end();
    throw isNotMigrated(error) ? missingTablesError(name) : error;
  }
  return { ...store, close: () => pool.end() };
}

function createPool(url: string, name: string): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'memory-read',
    connectionTimeoutMillis: 10_000,
    // On this side, because poolers in front of PostgreSQL refuse to be told of a statement_timeout.
    query_timeout: 60_000,
  });
  // Only the message: the error holds the connection, and that the password.
  pool.on('error', ({ message }) => {
    process.stderr.write(
      `Lost an idle connection to ${name}: because of ${message}. Another one is made when needed.\n`,
    );
  });
  return pool;
}

function isNotMigrated(error: unknown): boolean {
  return error instanceof PostgresStoreError && error.code === 'not_migrated';
}

function missingTablesError(name: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `Failed to open ${name}: because it has no tables of memories. Pass the URL that serve uses as --postgres.`,
  );
}
