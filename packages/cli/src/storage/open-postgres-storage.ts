import { checkPostgresSchema, createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import type { Pool } from 'pg';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createPostgresPool, type PostgresPoolOptions } from './create-postgres-pool.ts';
import { limitReads } from './limit-reads.ts';
import type { PostgresDatabase } from './postgres-url.ts';
import { checkReads, type PostgresConnections, type Storage } from './storage.ts';

export interface PostgresStorageOptions extends PostgresPoolOptions {
  /** Whether to create missing tables. */
  canCreate: boolean;
  /** Maximum time for one read, in milliseconds. Default: 5,000. */
  readTimeoutMs?: number | undefined;
  /** Aborts the opening. */
  interruption?: AbortSignal | undefined;
}

/**
 * Opens the PostgreSQL database and migrates it to the newest schema. It creates tables only with `canCreate`.
 *
 * @throws PostgresStoreError or CommandError if the database cannot be used. Neither contains the password.
 */
export async function openPostgresStorage(
  database: PostgresDatabase,
  options: PostgresStorageOptions,
): Promise<Storage> {
  const { canCreate, readTimeoutMs = defaultReadTimeoutMs, interruption } = options;
  interruption?.throwIfAborted();
  const { name } = database;
  const { pool, disconnect, close } = createPostgresPool(database, options);
  const limited = limitReads(pool, readTimeoutMs);
  const store = createPostgresStore({ pool: limited, name });
  interruption?.addEventListener('abort', disconnect);
  try {
    // Fails if the tables do not exist.
    if (!canCreate) await store.findAccount('');
    // Without the read timeout, because one replica migrates while the others wait for it.
    await migratePostgresStore({ pool, name });
  } catch (error) {
    await pool.end();
    // A connection without the required password would stay open until the server times out after a minute.
    disconnect();
    interruption?.throwIfAborted();
    throw isNotMigrated(error) ? missingTablesError(name) : error;
  } finally {
    interruption?.removeEventListener('abort', disconnect);
  }
  return {
    ...store,
    async checkReadiness() {
      await checkPostgresSchema({ pool: limited, name });
      await checkReads(store);
    },
    connections: () => countConnections(pool),
    close,
  };
}

function countConnections({ totalCount, idleCount, waitingCount }: Pool): PostgresConnections {
  return { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

const defaultReadTimeoutMs = 5_000;

function isNotMigrated(error: unknown): boolean {
  return Object(error).code === 'not_migrated';
}

function missingTablesError(name: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `Failed to open ${name}: the database has no memories tables. Check --postgres.`,
  );
}
