import { quietly } from '@memory-read/contract/event-loop';
import { codeOf, explainPostgresError } from '../postgres-store-error.ts';
import type { CheckedReplica, CheckedServers } from './checked-server.ts';
import type {
  PostgresReplicaState,
  PostgresReplicaStatus,
  PostgresReplicas,
  PostgresReplicasEvent,
  PostgresReplicasOptions,
} from './postgres-replicas.ts';
import { primaryReader, replicaReader } from './read-positions.ts';
import { createPrimaryHistory, createReplicaFreshness } from './replica-freshness.ts';
import { watchServer } from './watch-server.ts';

/** Servers that are checked until they are closed. */
interface ServerChecking extends Pick<PostgresReplicas, 'checked' | 'status' | 'close'> {
  servers: CheckedServers;
}

/** The options with their defaults. */
type CheckingOptions = Pick<PostgresReplicasOptions, 'primary' | 'replicas' | 'onChange'> & {
  maxLag: number;
  maxOutage: number;
};

type WatchedReplica = CheckedReplica & {
  status(): PostgresReplicaStatus;
  /** Emits an event if the state has changed. */
  report(): void;
  firstCheck: Promise<void>;
  close(): Promise<void>;
};

/** Checks each server in a loop of its own, so that one that does not respond does not delay the others. */
export function checkServers({ primary, replicas, maxLag, maxOutage, onChange }: CheckingOptions): ServerChecking {
  const interval = Math.min(Math.max(maxLag / 8, 50), 1_000);
  const history = createPrimaryHistory();
  let isPrimaryReachable = true;
  let isPrimaryReplica = false;
  /** Number of times that the primary could be reached again. */
  let returns = 0;
  let isClosed = false;

  const watchedPrimary = watchServer({
    pool: primary,
    interval,
    checkOn: primaryReader,
    begin: () => ({
      succeed(sample) {
        history.add(sample);
        isPrimaryReplica = false;
        setPrimaryReachable(true);
      },
      fail(error) {
        isPrimaryReplica = codeOf(error) === 'not_writable';
        setPrimaryReachable(false, explainPostgresError(error, 'the primary'));
      },
    }),
  });
  const watchedReplicas = replicas.map(watchReplica);

  return {
    servers: {
      primary: {
        query: watchedPrimary.query,
        get inFlight() {
          return watchedPrimary.inFlight;
        },
        get isReachable() {
          return isPrimaryReachable;
        },
        get isReplica() {
          return isPrimaryReplica && !isClosed;
        },
      },
      replicas: watchedReplicas,
    },
    checked: Promise.all(watchedReplicas.map(({ firstCheck }) => firstCheck)).then(status),
    status,
    async close() {
      isClosed = true;
      await Promise.all([watchedPrimary, ...watchedReplicas].map((server) => server.close()));
    },
  };

  function status(): readonly PostgresReplicaStatus[] {
    return watchedReplicas.map((replica) => replica.status());
  }

  function setPrimaryReachable(isReachable: boolean, error?: unknown): void {
    const hasChanged = isReachable !== isPrimaryReachable;
    isPrimaryReachable = isReachable;
    if (hasChanged && isReachable) returns += 1;
    if (hasChanged) emit({ type: 'primary', isReachable, ...(!isReachable && { error }) });
    reportReplicas();
  }

  /** The check of one server shows the age of all. */
  function reportReplicas(): void {
    for (const replica of watchedReplicas) replica.report();
  }

  function emit(event: PostgresReplicasEvent): void {
    quietly(() => onChange?.(event));
  }

  function watchReplica({ name, pool }: PostgresReplicasOptions['replicas'][number]): WatchedReplica {
    const freshness = createReplicaFreshness(history);
    /** Number of times that the server was found to be unreachable. */
    let losses = 0;
    /** Value of `returns` when the last good check began. */
    let checkedReturns = 0;
    let reason: unknown;
    let reported: PostgresReplicaState | undefined;

    const server = watchServer({
      pool,
      interval,
      // Without a sample of the primary, the first check would show nothing.
      after: watchedPrimary.firstCheck,
      checkOn: replicaReader,
      // A server that restarts opens at its last restart point, long before what it had proved.
      lose: giveUp,
      begin() {
        const [lossesBefore, returnsBefore] = [losses, returns];
        return {
          succeed(position) {
            checkedReturns = returnsBefore;
            // If a read has lost the server meanwhile, the check may have begun before the loss.
            if (losses === lossesBefore) freshness.observe(position);
            reportReplicas();
          },
          fail: giveUp,
        };
      },
    });

    return {
      query: server.query,
      get inFlight() {
        return server.inFlight;
      },
      isUsable: () => state() === 'used',
      giveUp,
      status,
      report,
      firstCheck: server.firstCheck,
      close: server.close,
    };

    function giveUp(error: unknown): void {
      losses += 1;
      reason = explainPostgresError(error, `replica ${name}`);
      freshness.observe(undefined);
      reportReplicas();
    }

    function state(now = performance.now()): PostgresReplicaState {
      // Without checks, nothing is known.
      if (isClosed) return 'lagging';
      return freshness.stateAt(now, { age: maxAge(), lag: maxLag });
    }

    /** When the primary is back, nothing newer is known of a replica before its next check. */
    function maxAge(): number {
      const isOutage = !isPrimaryReachable || checkedReturns < returns;
      return isOutage ? Math.max(maxLag, maxOutage) : maxLag;
    }

    /** Near the limit, the state changes with each check. */
    function isNearLimit({ state, lag }: PostgresReplicaStatus): boolean {
      return reported === 'lagging' && state === 'used' && lag !== null && lag > (maxAge() * 3) / 4;
    }

    function status(): PostgresReplicaStatus {
      const now = performance.now();
      return { name, state: state(now), lag: isClosed ? null : freshness.lagAt(now) };
    }

    function report(): void {
      const present = status();
      // Before the first check, there is nothing to report.
      if (isClosed || !freshness.isKnown() || present.state === reported || isNearLimit(present)) return;
      reported = present.state;
      emit({ type: 'replica', ...present, ...(present.state === 'unreachable' && { error: reason }) });
    }
  }
}
