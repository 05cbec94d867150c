import type { Query } from '../postgres-query.ts';

/** A PostgreSQL server that is checked all the time. */
export interface CheckedServer {
  /**
   * Runs one statement on the pool. Rejects with the error of a check that fails meanwhile, because no caller should wait
   * for a server that does not respond.
   */
  readonly query: Query;
  /** Number of statements of `query` that have not ended. */
  readonly inFlight: number;
}

/** A replica, which is checked all the time. */
export interface CheckedReplica extends CheckedServer {
  /** Whether its data are as new as the limit requires. Decided at each call, so that it ends without a check too. */
  isUsable(): boolean;
  /** Not usable until the next check that succeeds, because a read has shown that the server cannot be reached. */
  giveUp(error: unknown): void;
}

/** The servers among which reads are routed. */
export interface CheckedServers {
  primary: CheckedServer & {
    /** Whether the last check of it succeeded. */
    readonly isReachable: boolean;
    /** Whether the last check has shown that it is a replica. No limit holds for how far it is behind. */
    readonly isReplica: boolean;
  };
  replicas: readonly CheckedReplica[];
}
