import {
  checkPostgresSchema,
  createPostgresStore,
  migratePostgresStore,
  type PostgresReplicas,
} from '@memory-read/server/postgres';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createPostgresPool, type EndablePool } from './create-postgres-pool.ts';
import { limitReads } from './limit-reads.ts';
import { openReplicas, type ReplicaOptions } from './open-replicas.ts';
import type { PostgresDatabase } from './postgres-url.ts';
import { checkReads, type PostgresConnections, type Storage, type StorageNote } from './storage.ts';
import { defaultPoolSize } from './storage-options.ts';

export interface PostgresStorageOptions {
  /** Whether to create missing tables. */
  canCreate: boolean;
  /** Maximum number of connections to each server. Default: 10. */
  poolSize?: number | undefined;
  /** Maximum time for one read, in milliseconds. Default: 5,000. */
  readTimeoutMs?: number | undefined;
  /** Replicas, which memories and keys are read from. */
  reads?: ReplicaOptions | undefined;
  /** Aborts the opening. */
  interruption?: AbortSignal | undefined;
  onNote: StorageNote;
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
  const { canCreate, poolSize = defaultPoolSize, readTimeoutMs = 5_000, reads, interruption, onNote } = options;
  interruption?.throwIfAborted();
  const { name } = database;
  const opened: EndablePool[] = [];
  const open = (server: PostgresDatabase) => {
    const onConnectionLost = (message: string) => onNote('connection-lost', { message }, message);
    const created = createPostgresPool(server, { poolSize, onConnectionLost });
    opened.push(created);
    return { unlimited: created.pool, pool: limitReads(created.pool, readTimeoutMs) };
  };
  // A pool on a replica would read without a limit of its age.
  const { unlimited, pool } = open(reads === undefined ? database : { ...database, mustBeWritable: true });
  let replicas: PostgresReplicas | undefined;
  const disconnect = () => {
    for (const each of opened) each.disconnect();
  };
  const close = async () => {
    await replicas?.close();
    await Promise.all(opened.map((each) => each.close()));
  };
  interruption?.addEventListener('abort', disconnect);
  try {
    // Fails if the tables do not exist.
    if (!canCreate) await createPostgresStore({ pool, name }).findAccount('');
    // Without the read timeout, because one process migrates while the others wait for it.
    await migratePostgresStore({ pool: unlimited, name });
    if (reads !== undefined) {
      const openReplica = (replica: PostgresDatabase) => open(replica).pool;
      const watched = openReplicas(reads, { primary: pool, open: openReplica, poolSize, interruption, onNote });
      replicas = watched.replicas;
      await watched.started;
    }
  } catch (error) {
    await close();
    // A connection without the required password would stay open until the server times out after a minute.
    disconnect();
    interruption?.throwIfAborted();
    throw isNotMigrated(error) ? missingTablesError(name) : error;
  } finally {
    interruption?.removeEventListener('abort', disconnect);
  }
  const store = createPostgresStore({ pool, name, replicas });
  return {
    ...store,
    replicas,
    async checkReadiness() {
      await checkPostgresSchema({ pool, name, replicas });
      await checkReads(store);
    },
    connections: () => countConnections(opened),
    close,
  };
}

function countConnections(opened: readonly EndablePool[]): PostgresConnections {
  const counts = { active: 0, idle: 0, waiting: 0 };
  for (const { pool } of opened) {
    counts.active += pool.totalCount - pool.idleCount;
    counts.idle += pool.idleCount;
    counts.waiting += pool.waitingCount;
  }
  return counts;
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
