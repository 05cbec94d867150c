import { type PostgresPool, type PostgresReplicas, watchPostgresReplicas } from '@memory-read/server/postgres';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import type { PostgresDatabase } from './postgres-url.ts';
import { noteReplicas, unusedReasons } from './replica-notes.ts';
import type { StorageNote } from './storage.ts';

export interface ReplicaOptions {
  /** At least one. Each has one host, and the name of this host. */
  replicas: readonly PostgresDatabase[];
  /** Milliseconds. Default: 2,000. */
  maxLag?: number | undefined;
  /** Milliseconds. Default: 60,000. */
  maxOutage?: number | undefined;
  /** Number of connections to the primary that reads may use in place of a replica. Default: half of the pool. */
  fallbackReads?: number | undefined;
}

interface ReplicaContext {
  primary: PostgresPool;
  /** Opens the pool of a replica. */
  open: (replica: PostgresDatabase) => PostgresPool;
  poolSize: number;
  interruption?: AbortSignal | undefined;
  onNote: StorageNote;
}

/** Replicas that are checked until they are closed. */
export interface StartedReplicas {
  replicas: PostgresReplicas;
  /** Resolves after the first checks. Rejects if one of them shows a problem that waiting does not repair. */
  started: Promise<void>;
}

/** Starts to check the replicas. Changes are noted when the start has succeeded. */
export function openReplicas(options: ReplicaOptions, context: ReplicaContext): StartedReplicas {
  const { primary, open, poolSize, interruption, onNote } = context;
  const { maxLag = 2_000, maxOutage = 60_000, fallbackReads = Math.max(1, Math.floor(poolSize / 2)) } = options;
  const user = options.replicas[0]?.settings.user ?? '';
  const noteChange = noteReplicas({ user, maxLag, maxOutage, onNote });
  const replicas = watchPostgresReplicas({
    primary,
    replicas: options.replicas.map((replica) => ({ name: replica.name, pool: open(replica) })),
    ...{ maxLag, maxOutage, fallbackReads },
    onChange: (event) =>
      void started.then(
        () => noteChange(event),
        () => {},
      ),
  });
  const started = replicas.checked.then(async (statuses) => {
    for (const { name, state, lag } of statuses) {
      if (state !== 'other-cluster' && state !== 'not-permitted') continue;
      if (state === 'not-permitted' && !(await lacksRight(primary, user))) continue;
      const reason = unusedReasons[state]({ lag, limit: maxLag, user });
      throw new CommandError(exitCodes.failed, `Failed to read from ${name}: ${reason}`);
    }
    interruption?.throwIfAborted();
  });
  return { replicas, started };
}

/** Asks the primary, because a replica can still lack a right that was just granted. */
async function lacksRight(primary: PostgresPool, user: string): Promise<boolean> {
  const statement = `SELECT pg_has_role(CAST($1 AS NAME), 'pg_read_all_stats', 'USAGE') AS is_permitted`;
  try {
    const { rows } = await primary.query(statement, [user]);
    return rows[0]?.is_permitted === false;
  } catch {
    return false;
  }
}
