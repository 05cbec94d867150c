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

/** A primary with tables and the account `ada`, which has 20 memories, and two replicas that stream its changes. */
export interface Cluster {
  primary: PostgresServer;
  replicas: readonly [PostgresServer, PostgresServer];
  /** All servers, the primary first. */
  servers: readonly PostgresServer[];
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const primary = await startPostgres();
  const pool = openPool(primary);
  await migratePostgresStore({ pool });
  await addAccount(createPostgresStore({ pool }), 'ada', sampleRecords(20));
  await pool.end();
  const replicas = [await primary.startStandby(), await primary.startStandby()] as const;
  const servers = [primary, ...replicas];
  return { primary, replicas, servers, stop: async () => void (await Promise.all(servers.map(({ stop }) => stop()))) };
}

/** A store that reads from replicas. */
export interface WatchedStore extends ReturnType<typeof createPostgresStore> {
  replicas: PostgresReplicas;
  events: PostgresReplicasEvent[];
  /** Pools of the primary and of the replicas. */
  pools: [Pool, Pool, ...Pool[]];
  /** Waits until the replicas have these states. */
  untilStates(...states: PostgresReplicaState[]): Promise<void>;
  /** Uses another server as the primary, as a list of hosts does after a failover. */
  failOver(primary: PostgresServer): void;
}

interface Options extends Omit<PostgresReplicasOptions, 'primary' | 'replicas' | 'onChange'> {
  poolSize?: number;
  /** User of the replicas. */
  user?: string;
}

/** Opens a store, which is closed after the test. The replicas are named by their positions. */
export async function openStore(
  primary: PostgresServer,
  servers: readonly PostgresServer[],
  { poolSize = 4, user, ...options }: Options = {},
): Promise<WatchedStore> {
  const replicaPools = servers.map((server) => openPool(server, poolSize, user));
  let primaryPool = openPool(primary, poolSize);
  const pools = [primaryPool, ...replicaPools] as WatchedStore['pools'];
  const pool = {
    query: (sql: string, values?: unknown[]) => primaryPool.query(sql, values),
    connect: () => primaryPool.connect(),
  };
  const events: PostgresReplicasEvent[] = [];
  const replicas = watchPostgresReplicas({
    primary: pool,
    replicas: replicaPools.map((each, index) => ({ name: `${index}`, pool: each })),
    onChange: (event) => events.push(event),
    ...options,
  });
  onTestFinished(async () => {
    await replicas.close();
    await Promise.all(pools.map((each) => each.end()));
  });
  await replicas.checked;
  return {
    ...createPostgresStore({ pool, replicas }),
    replicas,
    events,
    pools,
    async untilStates(...expected) {
      await expect.poll(() => replicas.status().map(({ state }) => state), { interval: 5 }).toEqual(expected);
    },
    failOver(next) {
      primaryPool = openPool(next, poolSize);
      pools.push(primaryPool);
    },
  };
}

/** Reads until the condition holds, and returns the milliseconds of the slowest read. Each read must succeed. */
export async function readUntil(store: WatchedStore, isEnough: () => boolean, parallel = 4): Promise<number> {
  let slowest = 0;
  const loop = async () => {
    while (!isEnough()) {
      const start = performance.now();
      expect(await store.getMemory({ userId: 'ada', memoryId: 'mem_000001' })).toMatchObject({ id: 'mem_000001' });
      slowest = Math.max(slowest, performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: parallel }, loop));
  return Math.round(slowest);
}

/** Returns a condition that holds after this time. */
export function after(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() >= end;
}

/** Keeps a replica from replaying what it receives. */
export async function pauseReplay(...replicas: PostgresServer[]): Promise<void> {
  for (const { query } of replicas) {
    await query('SELECT pg_wal_replay_pause()');
    await expect.poll(() => query('SELECT pg_get_wal_replay_pause_state() AS state')).toEqual([{ state: 'paused' }]);
  }
}

/** Waits until the replicas have replayed what the primary has written. */
export async function untilReplayed(primary: PostgresServer, replicas: readonly PostgresServer[]): Promise<void> {
  // Whatever was written before is flushed then.
  const [{ lsn } = {}] = await primary.query('SELECT pg_switch_wal() AS lsn');
  for (const { query } of replicas) {
    const sql = `SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS is_replayed`;
    await expect.poll(() => query(sql)).toEqual([{ is_replayed: true }]);
  }
}

/** Opens a pool of a server, which commits only what is flushed, because only that counts for replicas. */
function openPool({ url }: PostgresServer, max = 1, user = 'postgres'): Pool {
  const connectionString = Object.assign(new URL(url), { username: user }).href;
  const options = '-c synchronous_commit=local';
  const pool = new Pool({ connectionString, max, options, connectionTimeoutMillis: 2_000 });
  pool.on('error', () => {});
  return pool;
}
