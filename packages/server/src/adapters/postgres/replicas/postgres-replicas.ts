import type { PostgresPool } from '../postgres-pool.ts';

/** Options of {@link watchPostgresReplicas}. */
export interface PostgresReplicasOptions {
  /** Pool of the server that accepts writes. Behind it may be another server after a failover. */
  primary: PostgresPool;
  /**
   * At least one replica: its name in messages and events, and its pool. Each pool must always reach the same server,
   * because the check of one connection says nothing about another server.
   */
  replicas: readonly { name: string; pool: PostgresPool }[];
  /** How far a read may be behind the primary, in milliseconds from 250 to 3,600,000. Default: 2,000. */
  maxLag?: number | undefined;
  /**
   * The same while the primary cannot be reached, in milliseconds from 0 to 3,600,000. A replica that was further than
   * `maxLag` behind before is not used. A smaller value than `maxLag` has no effect. Default: 60,000.
   */
  maxOutage?: number | undefined;
  /** Number of reads that may use the primary at once in place of a replica, from 0 to 999,999. Default: 5. */
  fallbackReads?: number | undefined;
  /**
   * Receives the first state of each replica, and then each change. After `lagging`, `used` follows when the lag is at
   * most three quarters of the limit. Its errors are ignored. Default: none.
   */
  onChange?: ((event: PostgresReplicasEvent) => void) | undefined;
}

/** Replicas that are checked until they are closed. Pass them to {@link createPostgresStore}. */
export interface PostgresReplicas {
  /** Resolves after the first check of each replica, however it ends. Never rejects. */
  readonly checked: Promise<readonly PostgresReplicaStatus[]>;
  /** Returns the present state of each replica, in the order of the options. */
  status(): readonly PostgresReplicaStatus[];
  /**
   * Returns the number of reads that have succeeded so far, by the server that responded. Each read counts once.
   *
   * - `replica`: a replica.
   * - `fallback`: the primary, because no replica responded.
   * - `recheck`: the primary, because a replica had no such key, memory or account.
   *
   * If the primary does not respond to a recheck, the read counts as `replica`.
   */
  counts(): { replica: number; fallback: number; recheck: number };
  /** Ends the checks, and gives their connections back. It does not close the pools. */
  close(): Promise<void>;
}

/** State of one replica. */
export interface PostgresReplicaStatus {
  /** Name in the options. */
  name: string;
  /** Whether it is read from, otherwise why it is not. */
  state: PostgresReplicaState;
  /** Time for which the replica may be behind the primary, in milliseconds. `null` if it is not known. */
  lag: number | null;
}

/**
 * Whether a replica is read from. `used` is the only state in which it is.
 *
 * - `lagging`: it is further behind than the limit, or nothing is known about it yet.
 * - `unreachable`: it cannot be asked.
 * - `no-replica`: it accepts writes. It is the primary, was promoted, or was the primary.
 * - `other-cluster`: its data are not a copy of those of the primary, or it is another database of the same servers.
 * - `other-timeline`: it follows a primary that was replaced, or one that the pool of the primary does not reach yet.
 * - `not-permitted`: the user lacks `pg_read_all_stats`.
 */
export type PostgresReplicaState =
  | 'used'
  | 'lagging'
  | 'unreachable'
  | 'no-replica'
  | 'other-cluster'
  | 'other-timeline'
  | 'not-permitted';

/** A change of the state of a replica, or of the primary. `error` is the reason for `unreachable`. */
export type PostgresReplicasEvent =
  | { type: 'replica'; name: string; state: PostgresReplicaState; lag: number | null; error?: unknown }
  | { type: 'primary'; isReachable: boolean; error?: unknown };
