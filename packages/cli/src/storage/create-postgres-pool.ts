import { Socket } from 'node:net';
import { Pool } from 'pg';
import { visibleLine } from '../terminal/visible-text.ts';
import { createPostgresClient } from './postgres-client.ts';
import type { PostgresDatabase } from './postgres-url.ts';
import { defaultPoolSize } from './storage-options.ts';

interface PostgresPoolOptions {
  /** Maximum number of connections. Default: 10. */
  poolSize?: number | undefined;
  /** Receives the message of an idle connection that was lost. */
  onConnectionLost: (message: string) => void;
}

/** A pool, and the ways to end its connections. */
export interface EndablePool {
  pool: Pool;
  /** Destroys all connections, also those that are about to open. */
  disconnect(): void;
  /**
   * Closes the pool. Connections with a waiting statement, usually for a lock, are destroyed after a second, and so are
   * those that the server does not close.
   */
  close(): Promise<void>;
}

const closeTimeoutMs = 1_000;

/** Creates a pool of connections to the database. It opens them when they are needed. */
export function createPostgresPool(
  database: PostgresDatabase,
  { poolSize = defaultPoolSize, onConnectionLost }: PostgresPoolOptions,
): EndablePool {
  const { name, settings } = database;
  const sockets = new Set<Socket>();
  const ending = new AbortController();
  const pool = new Pool({
    ...settings,
    Client: createPostgresClient({ ...database, signal: ending.signal }),
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

  function disconnect(): void {
    ending.abort();
    for (const socket of sockets) socket.destroy();
  }

  return {
    pool,
    disconnect,
    async close() {
      const timer = setTimeout(disconnect, closeTimeoutMs);
      await pool.end();
      // A server that does not respond does not close its side, and an open socket keeps the process alive.
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
      clearTimeout(timer);
    },
  };
}
