import { expect, test } from 'vitest';
import {
  createPrimaryHistory,
  createReplicaFreshness,
  type PrimarySample,
  type ReplicaPosition,
} from './replica-freshness.ts';

type Step = PrimarySample | ReplicaPosition | undefined;

const old = [sample(100, 10n), position(10n)];
const withoutStream = { timeline: undefined };
const writable = { isInRecovery: false, timeline: undefined };

test.each<[facts: string, steps: Step[], now: number, state: string, lag: number | null, mostLag?: number]>([
  ['without a check', [], 0, 'lagging', null],
  ['without a sample that it has reached', [sample(100, 10n), position(9n)], 100, 'lagging', null],
  ['without a position', [sample(100, 10n), position(undefined)], 100, 'lagging', null],
  ['between two samples', [...old, sample(200, 20n), sample(300, 30n), position(29n)], 2_200, 'used', 2_000],
  ['a little later', [...old, sample(200, 20n), sample(300, 30n), position(29n)], 2_200.2, 'lagging', 2_001],
  ['at the limit in an outage', [...old, sample(200, 20n), sample(300, 30n), position(29n)], 300, 'used', 100, 100],
  ['over it', [...old, sample(200, 20n), sample(300, 30n), position(29n)], 300, 'lagging', 100, 99],
  ['of an idle primary', [...old, sample(5_000, 10n), sample(9_000, 10n), position(10n)], 11_000, 'used', 2_000],
  ['whose check was before the sample', [position(50n), sample(100, 10n)], 100, 'lagging', null],
  ['whose check was before and after it', [position(50n), sample(100, 10n), position(50n)], 100, 'used', 0],
  ['that accepts writes', [...old, position(99n, writable)], 100, 'no-replica', null],
  ['that accepted writes', [...old, position(99n, writable), position(99n, withoutStream)], 100, 'lagging', null],
  ['of another cluster', [...old, position(99n, { cluster: 'other' })], 100, 'other-cluster', null],
  ['of another cluster', [...old, position(99n, { ...writable, cluster: 'other' })], 100, 'other-cluster', null],
  ['without permission', [...old, position(99n, { isPermitted: false })], 100, 'not-permitted', null],
  ['that cannot be reached', [...old, undefined], 100, 'unreachable', 0],
  ['that could not be reached', [...old, undefined, position(10n)], 100, 'used', 0],
  ['that has lost its stream', [...old, sample(500, 20n), position(99n, withoutStream)], 2_100, 'used', 2_000],
  ['whose primary was replaced', [...old, sample(200, 30n, 2)], 200, 'other-timeline', 100],
  ['that leaves it', [...old, sample(600, 30n, 2), position(99n, withoutStream)], 2_100, 'used', 2_000],
  ['that has left it for long', [...old, sample(600, 30n, 2), position(99n, withoutStream)], 2_101, 'lagging', 2_001],
  ['that follows the next one first', [...old, sample(500, 20n), position(30n, { timeline: 2 })], 2_100, 'used', 2_000],
  ['that has followed it for long', [...old, position(30n, { timeline: 2 })], 2_101, 'other-timeline', 2_001],
  ['of the next one', [...old, sample(600, 25n, 2), position(30n, { timeline: 2 })], 1_000, 'used', 400],
  [
    'of its timeline with an old position',
    [sample(100, 10n), sample(200, 30n, 2), position(20n, { timeline: 2 })],
    200,
    'lagging',
    null,
  ],
  [
    'of a cluster with an old position',
    [{ ...sample(100, 10n), cluster: 'other' }, sample(200, 30n), position(20n)],
    200,
    'lagging',
    null,
  ],
  ['that was rewound', [...old, position(9n, withoutStream)], 100, 'lagging', null],
  [
    'whose sample was dropped',
    [sample(0, 0n), sample(1, 1n), sample(2, 2n), position(1n), sample(100, 100n), position(1n)],
    100,
    'used',
    99,
  ],
])('a replica %s', (_, steps, now, state, lag, mostLag = 2_000) => {
  const history = createPrimaryHistory();
  const replica = createReplicaFreshness(history);
  for (const step of steps) {
    if (step !== undefined && 'at' in step) history.add(step);
    else replica.observe(step);
  }
  expect([replica.stateAt(now, { age: 2_000, lag: mostLag }), replica.lagAt(now)]).toEqual([state, lag]);
});

test('a history keeps a few samples, and knows a lag to an eighth and never as too small', () => {
  const history = createPrimaryHistory();
  const count = 10_000;
  for (let second = 0; second < count; second += 1) history.add(sample(second, BigInt(second)));
  const lags = Array.from(
    { length: count },
    (_, lag) => count - 1 - (history.reachedBy(BigInt(count - 1 - lag))?.at ?? 0),
  );
  expect(new Set(lags).size).toBeLessThan(120);
  const recent = lags.slice(0, count / 2);
  expect(recent.filter((found, lag) => found < lag || found > lag * 1.125)).toEqual([]);
});

test.each(Array.from({ length: 30 }, (_, index) => index))(
  'a replica that is used has every commit that is older than the limit, in world %i',
  (seed) => {
    const { violations, used } = play(seed);
    expect(violations).toEqual([]);
    expect(used).toBeGreaterThan(100);
  },
);

function sample(at: number, lsn: bigint, timeline = 1): PrimarySample {
  return { at, lsn, timeline, cluster: 'cluster' };
}

function position(lsn: bigint | undefined, values: Partial<ReplicaPosition> = {}): ReplicaPosition {
  return { cluster: 'cluster', isInRecovery: true, isPermitted: true, lsn, timeline: 1, ...values };
}

interface Commit {
  id: number;
  at: number;
  lsn: number;
}

interface Server {
  /** Everything that the server has in its WAL. */
  log: Commit[];
  /** Number of commits that it has replayed. */
  replayed: number;
  timeline: number;
  /** The server that it streams from. */
  source: Server | undefined;
  /** Time of the newest sample at its last check. */
  sampled: number;
  freshness: ReturnType<typeof createReplicaFreshness>;
}

/**
 * A primary with commits, three servers that replay at random speeds, failovers with lost commits, and checks that take
 * time and fail. Returns which used server lacked an old commit of the present primary.
 */
function play(seed: number) {
  const { whole, pick, isTrue } = choicesOf(seed);
  const history = createPrimaryHistory();
  const servers = Array.from({ length: 4 }, (): Server => {
    const freshness = createReplicaFreshness(history);
    return { log: [], replayed: 0, timeline: 1, source: undefined, sampled: 0, freshness };
  });
  let primary = pick(servers);
  for (const server of servers) if (server !== primary) server.source = primary;
  let isPrimaryReachable = true;
  let newestTimeline = 1;
  let ids = 0;
  let used = 0;
  const violations: string[] = [];
  const maxLag = pick([250, 2_000]);
  const maxOutage = pick([0, 5_000]);
  let later: { at: number; run: () => void }[] = [];
  const endOf = ({ log }: Server) => log.at(-1)?.lsn ?? 0;

  for (let now = 0; now < 60_000; now += 10) {
    if (isTrue(0.3)) primary.log.push({ id: ++ids, at: now, lsn: endOf(primary) + whole(1, 5) });
    for (const server of servers) stream(server);
    if (isTrue(0.0008)) failOver();
    if (isTrue(0.005))
      for (const server of servers) if (server !== primary && server.source === undefined) follow(server);
    if (isTrue(0.2)) checkPrimary(now);
    for (const server of servers) if (isTrue(0.1)) checkReplica(server, now);
    for (const { at, run } of later) if (at <= now) run();
    later = later.filter(({ at }) => at > now);
    for (const server of servers) assertFresh(server, now);
  }
  return { violations, used };

  function stream(server: Server): void {
    const { source } = server;
    // What it has is not what its source has, which was rewound.
    if (server.log.at(-1)?.id !== source?.log[server.log.length - 1]?.id) server.source = undefined;
    else if (source !== undefined && isTrue(0.5)) {
      server.log.push(...source.log.slice(server.log.length, server.log.length + whole(0, 3)));
      server.timeline = source.timeline;
    }
    if (isTrue(0.5)) server.replayed = Math.min(server.log.length, server.replayed + whole(0, 3));
  }

  /** The old primary stands still. Some servers see that, others wait for it. The next primary may lack commits. */
  function failOver(): void {
    const next = pick(servers.filter((server) => server !== primary));
    const old = primary;
    newestTimeline += 1;
    next.replayed = next.log.length;
    Object.assign(next, { timeline: newestTimeline, source: undefined });
    for (const server of servers) if (server !== next && (isTrue(0.5) || server === old)) server.source = undefined;
    primary = next;
    isPrimaryReachable = isTrue(0.5);
  }

  /** Follows the primary, after a rewind to the last common commit if the server has others. */
  function follow(server: Server): void {
    const common = server.log.findIndex((commit, index) => primary.log[index]?.id !== commit.id);
    if (common !== -1) {
      server.log.splice(common);
      server.replayed = Math.min(server.replayed, common);
    }
    Object.assign(server, { source: primary, timeline: primary.timeline });
  }

  function checkPrimary(now: number): void {
    if (isTrue(0.05)) isPrimaryReachable = false;
    if (isTrue(0.4)) return;
    const sampled = primary;
    later.push({
      at: now + whole(0, 5) * 10,
      run() {
        isPrimaryReachable = true;
        if (sampled !== primary) return;
        history.add(sample(now, BigInt(endOf(sampled)), sampled.timeline));
      },
    });
  }

  function checkReplica(server: Server, now: number): void {
    const lsn = BigInt(server.log[server.replayed - 1]?.lsn ?? 0);
    const timeline = server.source && server.timeline;
    const isInRecovery = server !== primary;
    const isLost = isTrue(0.02);
    later.push({
      at: now + whole(0, 5) * 10,
      run() {
        server.freshness.observe(isLost ? undefined : position(lsn, { timeline, isInRecovery }));
        server.sampled = history.newest()?.at ?? 0;
      },
    });
  }

  function assertFresh(server: Server, now: number): void {
    const age = isPrimaryReachable ? maxLag : Math.max(maxLag, maxOutage);
    if (server.freshness.stateAt(now, { age, lag: maxLag }) !== 'used') return;
    const start = Math.max(now - age, server.sampled - maxLag);
    used += 1;
    // Servers that have the same commit at one place have the same ones before it.
    const index = primary.log.findLastIndex(({ at }) => at < start);
    const missing = primary.log[index];
    if (index < server.replayed && server.log[index]?.id === missing?.id) return;
    violations.push(`${now}: commit ${missing?.id} of ${missing?.at}`);
  }
}

/** Returns random choices that depend only on the seed. */
function choicesOf(seed: number) {
  let state = seed * 7_919 + 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  /** Returns a whole number from one to another, both included. */
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    whole,
    pick: <Item>(items: readonly Item[]) => items[whole(0, items.length - 1)] as Item,
    isTrue: (share: number) => random() < share,
  };
}
