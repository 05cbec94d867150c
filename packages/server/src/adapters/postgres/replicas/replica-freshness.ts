import type { PostgresReplicaState } from './postgres-replicas.ts';

/** Where the primary was at a time. Times are milliseconds of one monotonic clock of this process. */
export interface PrimarySample {
  /** Time before the position was requested. Everything that was committed before it is in the WAL up to `lsn`. */
  at: number;
  /** Position up to which the WAL was flushed. */
  lsn: bigint;
  timeline: number;
  /** The `system_identifier`, which all servers of a cluster share, and the database. */
  cluster: string;
}

/** The newest samples of the present primary. */
interface PrimaryHistory {
  /** Adds the newest sample. Positions of another cluster or timeline cannot be compared, so those are dropped. */
  add(sample: PrimarySample): void;
  /** Returns the newest sample. */
  newest(): PrimarySample | undefined;
  /** Returns the newest sample whose position is not after this one. */
  reachedBy(lsn: bigint): PrimarySample | undefined;
}

export function createPrimaryHistory(): PrimaryHistory {
  /** Times and positions ascend. */
  let samples: PrimarySample[] = [];
  return {
    add(sample) {
      const isComparable = ({ cluster, timeline, lsn }: PrimarySample) =>
        cluster === sample.cluster && timeline === sample.timeline && lsn < sample.lsn;
      samples = thinOut([...samples.filter(isComparable), sample]);
    },
    newest: () => samples.at(-1),
    reachedBy: (lsn) => samples.filter((sample) => sample.lsn <= lsn).at(-1),
  };
}

/**
 * Drops old samples, so that two neighbours are an eighth of their age apart. A replica that has reached a dropped sample
 * counts as older than it is, never as newer.
 */
function thinOut(samples: readonly PrimarySample[]): PrimarySample[] {
  const now = samples.at(-1)?.at ?? 0;
  const kept: PrimarySample[] = [];
  for (const [index, sample] of samples.entries()) {
    const [before, after] = [kept.at(-1), samples[index + 1]];
    if (before && after && after.at - before.at <= (now - after.at) / 8) continue;
    kept.push(sample);
  }
  return kept;
}

/** What the check of a replica has read. */
export interface ReplicaPosition {
  cluster: string;
  isInRecovery: boolean;
  /** Whether the user may read the state of replication. */
  isPermitted: boolean;
  /** Position up to which the WAL was replayed, if there is any. */
  lsn: bigint | undefined;
  /** Timeline of the stream that the replica receives. `undefined` without a stream. */
  timeline: number | undefined;
}

/** Limits in milliseconds. */
export interface FreshnessLimits {
  /** How old the data may be. */
  age: number;
  /** How far the data may have been behind the newest sample at the last check. It counts if there are no new samples. */
  lag: number;
}

/** How new the data of one replica are. */
interface ReplicaFreshness {
  /** Takes over the result of a check, or `undefined` if the replica cannot be reached. */
  observe(position: ReplicaPosition | undefined): void;
  /** Returns whether there was a check. */
  isKnown(): boolean;
  /** Returns the state at a time. */
  stateAt(now: number, limits: FreshnessLimits): PostgresReplicaState;
  /** Returns the time for which the replica may be behind, in milliseconds. */
  lagAt(now: number): number | null;
}

/**
 * Dates what a replica has replayed by the samples of the primary.
 *
 * A branch that was cut off in a failover can have a higher position than the primary. So a position proves a time only
 * if the replica streams from the timeline of the primary. Without such a stream, it keeps what it proved before.
 */
export function createReplicaFreshness(history: PrimaryHistory): ReplicaFreshness {
  let position: ReplicaPosition | undefined;
  let isReachable = true;
  let proof: PrimarySample | undefined;
  /** Time of the newest sample at the last check. */
  let checkedAt = 0;

  function update(): void {
    if (position === undefined) return;
    const { lsn = -1n, timeline, cluster } = position;
    // It was rewound or replaced.
    if (proof !== undefined && lsn < proof.lsn) proof = undefined;
    const primary = history.newest();
    if (primary?.cluster !== cluster || primary.timeline !== timeline) return;
    const reached = history.reachedBy(lsn);
    // The sample of the proof may have been dropped from the history.
    if (reached !== undefined && reached.at > (proof?.at ?? -Infinity)) proof = reached;
  }

  function refusalOf({ cluster, isInRecovery, isPermitted }: ReplicaPosition): PostgresReplicaState | undefined {
    const primary = history.newest();
    if (primary !== undefined && primary.cluster !== cluster) return 'other-cluster';
    if (!isInRecovery) return 'no-replica';
    return isPermitted ? undefined : 'not-permitted';
  }

  return {
    observe(next) {
      isReachable = next !== undefined;
      if (next === undefined) return;
      position = next;
      checkedAt = history.newest()?.at ?? 0;
      // Such a server may have another history when it is a replica again.
      if (refusalOf(next) !== undefined) proof = undefined;
      else update();
    },
    isKnown: () => position !== undefined || !isReachable,
    stateAt(now, { age, lag }) {
      if (!isReachable) return 'unreachable';
      if (position === undefined) return 'lagging';
      const refusal = refusalOf(position);
      if (refusal !== undefined) return refusal;
      const primary = history.newest();
      if (primary === undefined) return 'lagging';
      const { timeline = primary.timeline } = position;
      if (timeline < primary.timeline) return 'other-timeline';
      if (proof !== undefined && now - proof.at <= age && checkedAt - proof.at <= lag) return 'used';
      // It already follows the next primary, which the pool of the primary has not reached yet.
      return timeline === primary.timeline ? 'lagging' : 'other-timeline';
    },
    lagAt: (now) => (proof === undefined ? null : Math.ceil(now - proof.at)),
  };
}
