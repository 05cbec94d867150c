import { Socket } from 'node:net';
import { createPostgresStore, migratePostgresStore, PostgresStoreError } from '@memory-read/server/postgres';
import { Pool } from 'pg';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { postgresPlace } from './postgres-url.ts';
import { checkByKey, type Storage } from './storage.ts';

/** Options of {@link openPostgresStorage}. */
export interface PostgresStorageOptions {
  /** Whether to create missing tables. */
  canCreate: boolean;
  /** Aborts the opening. */
  interruption?: AbortSignal | undefined;
}

/**
 * Opens the PostgreSQL database of the URL and migrates it to the newest schema. It creates tables only with `canCreate`.
 *
 * @throws PostgresStoreError or CommandError if the database cannot be used. Neither contains the password.
 */
export async function openPostgresStorage(url: string, options: PostgresStorageOptions): Promise<Storage> {
  const { canCreate, interruption } = options;
  interruption?.throwIfAborted();
  const name = postgresPlace(url);
  const sockets = new Set<Socket>();
  const pool = createPool({ url, name, sockets });
  const store = createPostgresStore({ pool, name });
  const disconnect = () => destroyAll(sockets);
  interruption?.addEventListener('abort', disconnect);
  try {
    // Fails if the tables do not exist.
    if (!canCreate) await store.findAccount('');
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
  return { ...store, checkReadiness: () => checkByKey(store), close: () => endPool(pool, sockets) };
}

const closeTimeoutMs = 1_000;

/** Closes the pool. Connections with a waiting statement, usually for a lock, are destroyed after a timeout. */
async function endPool(pool: Pool, sockets: Set<Socket>): Promise<void> {
  const timer = setTimeout(destroyAll, closeTimeoutMs, sockets);
  await pool.end();
  clearTimeout(timer);
}

function destroyAll(sockets: Set<Socket>): void {
  for (const socket of sockets) socket.destroy();
}

interface PoolOptions {
  url: string;
  name: string;
  /** Receives the sockets of all connections. */
  sockets: Set<Socket>;
}

function createPool({ url, name, sockets }: PoolOptions): Pool {
  const pool = new Pool({
    stream() {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
    connectionString: url,
    application_name: 'memory-read',
    connectionTimeoutMillis: 10_000,
    // A client-side timeout, because connection poolers reject statement_timeout.
    query_timeout: 60_000,
  });
  // Only the message, because the error contains the connection and its password.
  pool.on('error', ({ message }) => {
    process.stderr.write(
      `Lost an idle connection to ${name}: ${visibleLine(message)}. A new connection is opened when needed.\n`,
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
    `Failed to open ${name}: it does not contain the tables of memories. Pass the URL that serve uses as --postgres.`,
  );
}
