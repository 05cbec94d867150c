import {
  createPostgresStore,
  migratePostgresStore,
  type PostgresReplicaState,
  type PostgresReplicas,
  type PostgresReplicasEvent,
  type PostgresReplicasOptions,
  watchPostgresReplicas,
} from '@memory-read/server/postgres';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { Pool } from 'pg';
import { expect, onTestFinished } from 'vitest';

/** A primary with tables and an account, and two replicas that stream its changes. */
export interface Cluster {
  primary: PostgresServer;
  replicas: readonly [PostgresServer, PostgresServer];
  /** API key of the account `ada`, which has 20 memories. */
  key: string;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const primary = await startPostgres();
  const pool = openPool(primary.url);
  await migratePostgresStore({ pool });
  const { key } = await addAccount(createPostgresStore({ pool }), 'ada', sampleRecords(20));
  await pool.end();
  const replicas = [await primary.startStandby(), await primary.startStandby()] as const;
  const stop = async () => void (await Promise.all([primary, ...replicas].map((server) => server.stop())));
  return { primary, replicas, key, stop };
}

/** A store over a cluster, and what its checks report. */
export interface WatchedStore extends ReturnType<typeof createPostgresStore> {
  replicas: PostgresReplicas;
  /** Pools of the primary and of the replicas. */
  pools: readonly Pool[];
  events: PostgresReplicasEvent[];
  /** States of the replicas, in order. */
  states(): PostgresReplicaState[];
  /** Waits until the replicas have these states. */
  untilStates(...states: PostgresReplicaState[]): Promise<void>;
}

type Options = Omit<PostgresReplicasOptions, 'primary' | 'replicas' | 'onChange'>;

/** Opens a store, which is closed after the test. */
export async function openStore(
  urls: { primary: string; replicas: readonly string[] },
  { poolSize = 4, ...options }: Options & { poolSize?: number } = {},
): Promise<WatchedStore> {
  const pools = [urls.primary, ...urls.replicas].map((url) => openPool(url, poolSize));
  const [pool, ...others] = pools as [Pool, ...Pool[]];
  const events: PostgresReplicasEvent[] = [];
  const replicas = watchPostgresReplicas({
    primary: pool,
    replicas: others.map((other, index) => ({ name: `replica ${index}`, pool: other })),
    onChange: (event) => events.push(event),
    ...options,
  });
  onTestFinished(async () => {
    await replicas.close();
    await Promise.all(pools.map((each) => each.end()));
  });
  await replicas.checked;
  const states = () => replicas.status().map(({ state }) => state);
  const untilStates = async (...expected: PostgresReplicaState[]) => void (await expect.poll(states).toEqual(expected));
  return Object.assign(createPostgresStore({ pool, replicas }), { replicas, pools, events, states, untilStates });
}

/** A commit is flushed before it is acknowledged: only then it counts for replicas. */
function openPool(url: string, max = 1): Pool {
  const pool = new Pool({ connectionString: url, max, options: '-c synchronous_commit=local' });
  pool.on('error', () => {});
  return pool;
}
