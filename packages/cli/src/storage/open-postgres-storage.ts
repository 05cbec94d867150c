import { Socket } from 'node:net';
import { checkPostgresSchema, createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { Pool } from 'pg';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { limitReads } from './limit-reads.ts';
import { createPostgresClient } from './postgres-client.ts';
import type { PostgresDatabase } from './postgres-url.ts';
import { checkReads, type PostgresConnections, type Storage } from './storage.ts';

export interface PostgresStorageOptions {
  /** Whether to create missing tables. */
  canCreate: boolean;
  /** Maximum number of connections. Default: 10. */
  poolSize?: number | undefined;
  /** Maximum time for one read, in milliseconds. Default: 5,000. */
  readTimeoutMs?: number | undefined;
  /** Aborts the opening. */
  interruption?: AbortSignal | undefined;
  /** Receives the message of an idle connection that was lost. */
  onConnectionLost: (message: string) => void;
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
  const { canCreate, poolSize, readTimeoutMs = defaultReadTimeoutMs, interruption, onConnectionLost } = options;
  interruption?.throwIfAborted();
  const { name } = database;
  const sockets = new Set<Socket>();
  const ending = new AbortController();
  const pool = createPool({ database, poolSize, sockets, signal: ending.signal, onConnectionLost });
  const limited = limitReads(pool, readTimeoutMs);
  const store = createPostgresStore({ pool: limited, name });
  const disconnect = () => {
    ending.abort();
    for (const socket of sockets) socket.destroy();
  };
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
    close: () => endPool(pool, disconnect),
  };
}

function countConnections({ totalCount, idleCount, waitingCount }: Pool): PostgresConnections {
  return { active: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
}

const defaultPoolSize = 10;
const defaultReadTimeoutMs = 5_000;

const closeTimeoutMs = 1_000;

/** Closes the pool. Connections with a waiting statement, usually for a lock, are destroyed after a timeout. */
async function endPool(pool: Pool, disconnect: () => void): Promise<void> {
  const timer = setTimeout(disconnect, closeTimeoutMs);
  await pool.end();
  clearTimeout(timer);
}

interface PoolOptions {
  database: PostgresDatabase;
  poolSize?: number | undefined;
  /** Receives the sockets of all connections. */
  sockets: Set<Socket>;
  /** Ends the search for a host. */
  signal: AbortSignal;
  onConnectionLost: (message: string) => void;
}

function createPool(options: PoolOptions): Pool {
  const { database, poolSize = defaultPoolSize, sockets, signal, onConnectionLost } = options;
  const { name, settings } = database;
  const pool = new Pool({
    ...settings,
    Client: createPostgresClient({ ...database, signal }),
    stream() {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
    max: poolSize,
    // Includes the wait for a free connection.
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A client-side timeout, because connection poolers reject statement_timeout.
    query_timeout: 60_000,
  });
  // Only the message, because the error contains the connection and its password.
  pool.on('error', ({ message }) => {
    onConnectionLost(
      `Lost an idle connection to ${name}: ${visibleLine(message)}. A new connection is opened when needed.`,
    );
  });
  return pool;
}

function isNotMigrated(error: unknown): boolean {
  return Object(error).code === 'not_migrated';
}

function missingTablesError(name: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `Failed to open ${name}: the database has no memories tables. Check --postgres.`,
  );
}
