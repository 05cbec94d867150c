import { describe, expect, test } from 'vitest';
import {
  createPrimaryHistory,
  createReplicaFreshness,
  type PrimarySample,
  type ReplicaPosition,
} from './replica-freshness.ts';
import { choicesOf } from './seeded-choices.test-support.ts';

const limit = { age: 2_000, lag: 2_000 };

test('what a replica has replayed is as old as the newest sample that it has reached', () => {
  const { history, replica } = create();
  add(history, { at: 100, lsn: 10n });
  add(history, { at: 200, lsn: 20n });
  add(history, { at: 300, lsn: 30n });
  replica.observe(position({ lsn: 29n }));
  expect(replica.lagAt(1_000.2)).toBe(801);
  expect(replica.stateAt(2_200, limit)).toBe('used');
  expect(replica.stateAt(2_201, limit)).toBe('lagging');
  expect(replica.stateAt(2_201, { age: 3_000, lag: 100 })).toBe('used');
  expect(replica.stateAt(2_201, { age: 3_000, lag: 99 })).toBe('lagging');
});

test('samples prove nothing for a replica until its next check', () => {
  const { history, replica } = create();
  replica.observe(position({ lsn: 50n }));
  add(history, { at: 100, lsn: 10n });
  expect(replica.lagAt(100)).toBeNull();
  expect(replica.stateAt(100, limit)).toBe('lagging');
  replica.observe(position({ lsn: 50n }));
  expect(replica.lagAt(100)).toBe(0);
});

test('on an idle primary, the same position proves the newest time', () => {
  const { history, replica } = create();
  for (const at of [100, 5_000, 9_000]) add(history, { at, lsn: 10n });
  replica.observe(position({ lsn: 10n }));
  expect(replica.stateAt(11_000, limit)).toBe('used');
});

test('without a check, a state is lagging, and the age is unknown', () => {
  const { history, replica } = create();
  expect([replica.isKnown(), replica.stateAt(0, limit), replica.lagAt(0)]).toEqual([false, 'lagging', null]);
  add(history, { at: 100, lsn: 10n });
  replica.observe(position({ lsn: 9n }));
  expect([replica.isKnown(), replica.stateAt(100, limit), replica.lagAt(100)]).toEqual([true, 'lagging', null]);
  replica.observe(position({ lsn: undefined }));
  expect([replica.stateAt(100, limit), replica.lagAt(100)]).toEqual(['lagging', null]);
});

test.each<[string, Partial<ReplicaPosition>]>([
  ['no-replica', { isInRecovery: false }],
  ['other-cluster', { cluster: 'other' }],
  ['other-cluster', { cluster: 'other', isInRecovery: false }],
  ['not-permitted', { isPermitted: false }],
  ['other-timeline', { timeline: 2 }],
  ['other-timeline', { timeline: 4 }],
])('a server is %s, and proves nothing, with %o', (state, difference) => {
  const { history, replica } = create();
  add(history, { at: 100, lsn: 10n, timeline: 3 });
  replica.observe(position({ lsn: 99n, timeline: 3, ...difference }));
  expect([replica.stateAt(100, limit), replica.lagAt(100)]).toEqual([state, null]);
});

test('a server that accepted writes has lost its proof when it is a replica again', () => {
  const { history, replica } = create();
  add(history, { at: 100, lsn: 10n });
  replica.observe(position({ lsn: 10n }));
  replica.observe(position({ lsn: 12n, isInRecovery: false, timeline: undefined }));
  replica.observe(position({ lsn: 12n, timeline: undefined }));
  expect([replica.stateAt(100, limit), replica.lagAt(100)]).toEqual(['lagging', null]);
});

test('a replica that cannot be reached is not used before its next check', () => {
  const { history, replica } = create();
  add(history, { at: 100, lsn: 10n });
  replica.observe(position({ lsn: 10n }));
  replica.observe(undefined);
  expect([replica.isKnown(), replica.stateAt(100, limit), replica.lagAt(100)]).toEqual([true, 'unreachable', 0]);
  replica.observe(position({ lsn: 10n }));
  expect(replica.stateAt(100, limit)).toBe('used');
});

describe('a failover', () => {
  test('a replica without a stream keeps what it proved, and proves nothing new', () => {
    const { history, replica } = create();
    add(history, { at: 100, lsn: 10n });
    replica.observe(position({ lsn: 10n }));
    add(history, { at: 500, lsn: 20n });
    replica.observe(position({ lsn: 99n, timeline: undefined }));
    expect(replica.lagAt(1_000)).toBe(900);
    add(history, { at: 600, lsn: 30n, timeline: 2 });
    replica.observe(position({ lsn: 99n, timeline: undefined }));
    expect(replica.lagAt(1_000)).toBe(900);
    expect([replica.stateAt(2_100, limit), replica.stateAt(2_101, limit)]).toEqual(['used', 'lagging']);
  });

  test('a replica of the old timeline is not used from the first sample of the new one on', () => {
    const { history, replica } = create();
    add(history, { at: 100, lsn: 10n });
    replica.observe(position({ lsn: 99n }));
    expect(replica.stateAt(200, limit)).toBe('used');
    add(history, { at: 200, lsn: 30n, timeline: 2 });
    expect(replica.stateAt(200, limit)).toBe('other-timeline');
  });

  test('a replica that follows the next primary first keeps what it proved, and proves nothing new', () => {
    const { history, replica } = create();
    add(history, { at: 100, lsn: 10n });
    replica.observe(position({ lsn: 10n }));
    add(history, { at: 500, lsn: 20n });
    replica.observe(position({ lsn: 30n, timeline: 2 }));
    expect(replica.lagAt(1_000)).toBe(900);
    expect([replica.stateAt(2_100, limit), replica.stateAt(2_101, limit)]).toEqual(['used', 'other-timeline']);
    add(history, { at: 600, lsn: 25n, timeline: 2 });
    replica.observe(position({ lsn: 30n, timeline: 2 }));
    expect(replica.lagAt(1_000)).toBe(400);
  });

  test('samples of the old timeline date nothing on the new one', () => {
    const { history, replica } = create();
    add(history, { at: 100, lsn: 10n });
    add(history, { at: 200, lsn: 30n, timeline: 2 });
    replica.observe(position({ lsn: 20n, timeline: 2 }));
    expect(replica.lagAt(1_000)).toBeNull();
  });

  test('samples of another cluster are dropped', () => {
    const { history, replica } = create();
    add(history, { at: 100, lsn: 10n, cluster: 'other' });
    add(history, { at: 200, lsn: 30n });
    replica.observe(position({ lsn: 20n }));
    expect(replica.lagAt(1_000)).toBeNull();
  });

  test('a replica that was rewound has lost its proof', () => {
    const { history, replica } = create();
    add(history, { at: 100, lsn: 10n });
    replica.observe(position({ lsn: 10n }));
    replica.observe(position({ lsn: 9n, timeline: undefined }));
    expect([replica.stateAt(100, limit), replica.lagAt(100)]).toEqual(['lagging', null]);
  });
});

describe('a long history', () => {
  const samples = 10_000;

  test('knows a lag of minutes to an eighth, and never as too small', () => {
    const { history } = create();
    for (let second = 0; second < samples; second += 1) add(history, { at: second * 1_000, lsn: BigInt(second) });
    for (const lag of [1, 10, 60, 600, 3_600]) {
      const { at = 0 } = history.reachedBy(BigInt(samples - 1 - lag)) ?? {};
      const found = samples - 1 - at / 1_000;
      expect(found).toBeGreaterThanOrEqual(lag);
      expect(found).toBeLessThanOrEqual(lag * 1.125);
    }
  });

  test('keeps a few samples', () => {
    const { history } = create();
    for (let index = 0; index < samples; index += 1) add(history, { at: index, lsn: BigInt(index) });
    const reached = new Set(Array.from({ length: samples }, (_, lsn) => history.reachedBy(BigInt(lsn))?.at));
    expect(reached.size).toBeLessThan(120);
  });

  test('does not make a replica older than it was when its sample is dropped', () => {
    const { history, replica } = create();
    for (let index = 0; index < 3; index += 1) add(history, { at: index, lsn: BigInt(index) });
    replica.observe(position({ lsn: 1n }));
    add(history, { at: 100, lsn: 100n });
    replica.observe(position({ lsn: 1n }));
    expect(history.reachedBy(1n)?.at).toBe(0);
    expect(replica.lagAt(100)).toBe(99);
  });
});

test.each(Array.from({ length: 30 }, (_, index) => index))(
  'a replica that is used has every commit that is older than the limit, in world %i',
  (seed) => {
    const { violations, used } = play(seed);
    expect(violations).toEqual([]);
    expect(used).toBeGreaterThan(100);
  },
);

function create() {
  const history = createPrimaryHistory();
  return { history, replica: createReplicaFreshness(history) };
}

function add(history: ReturnType<typeof createPrimaryHistory>, sample: Partial<PrimarySample>): void {
  history.add({ at: 0, lsn: 0n, timeline: 1, cluster: 'cluster', ...sample });
}

function position(values: Partial<ReplicaPosition>): ReplicaPosition {
  return { cluster: 'cluster', isInRecovery: true, isPermitted: true, lsn: 0n, timeline: 1, ...values };
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
    return {
      log: [],
      replayed: 0,
      timeline: 1,
      source: undefined,
      sampled: 0,
      freshness: createReplicaFreshness(history),
    };
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
        add(history, { at: now, lsn: BigInt(endOf(sampled)), timeline: sampled.timeline });
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
        server.freshness.observe(isLost ? undefined : position({ lsn, timeline, isInRecovery }));
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
