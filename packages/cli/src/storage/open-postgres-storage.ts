import { Socket } from 'node:net';
import { createPostgresStore, migratePostgresStore, PostgresStoreError } from '@memory-read/server/postgres';
import { Pool } from 'pg';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { postgresPlace } from './postgres-url.ts';
import { checkByKey, type Storage } from './storage.ts';

/** How {@link openPostgresStorage} opens it. */
export interface PostgresStorageOptions {
  /** Whether tables are made where there are none. */
  canCreate: boolean;
  /** Ends the opening, whatever it waits for. */
  interruption?: AbortSignal | undefined;
}

/**
 * The storage in the PostgreSQL database of the URL, brought to the newest schema; its tables are made where `canCreate` allows it.
 *
 * @throws PostgresStoreError or CommandError when the database cannot be used; neither holds the password.
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
    // Fails where there are no tables yet.
    if (!canCreate) await store.findAccount('');
    await migratePostgresStore({ pool, name });
  } catch (error) {
    await pool.end();
    // One that asked for a password that there is none of stays open until the server gives up, a minute later.
    disconnect();
    interruption?.throwIfAborted();
    throw isNotMigrated(error) ? missingTablesError(name) : error;
  } finally {
    interruption?.removeEventListener('abort', disconnect);
  }
  return { ...store, checkReadiness: () => checkByKey(store), close: () => endPool(pool, sockets) };
}

const closeTimeoutMs = 1_000;

/** A statement that still waits, for a lock as a rule, has nobody left who waits for it. */
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
  /** Gets those of all connections. */
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
    // On this side, because poolers in front of PostgreSQL refuse to be told of a statement_timeout.
    query_timeout: 60_000,
  });
  // Only the message: the error holds the connection, and that the password.
  pool.on('error', ({ message }) => {
    process.stderr.write(
      `Lost an idle connection to ${name}: because of ${visibleLine(message)}. Another one is made when needed.\n`,
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
