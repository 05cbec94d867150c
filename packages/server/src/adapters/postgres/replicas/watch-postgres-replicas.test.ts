import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { advance, endWatch, type FakePostgres, fakePostgres, fakeTime } from './fake-postgres.test-support.ts';
import type { PostgresReplicas, PostgresReplicasEvent, PostgresReplicasOptions } from './postgres-replicas.ts';
import { routerOf, watchPostgresReplicas } from './watch-postgres-replicas.ts';

let primary: FakePostgres;
let replicas: [FakePostgres, FakePostgres];
let watched: PostgresReplicas | undefined;
let events: PostgresReplicasEvent[];

beforeEach(() => {
  fakeTime();
  primary = fakePostgres();
  replicas = [fakePostgres({ stream: { timeline: 1 } }), fakePostgres({ stream: { timeline: 1 } })];
  events = [];
  watched = undefined;
});

afterEach(() => endWatch(watched));

test('after the first checks, replicas are used', async () => {
  const { checked, status } = watch();
  expect(status()).toEqual([
    { name: 'one', state: 'lagging', lag: null },
    { name: 'two', state: 'lagging', lag: null },
  ]);
  expect(await checked).toEqual([
    { name: 'one', state: 'used', lag: 0 },
    { name: 'two', state: 'used', lag: 0 },
  ]);
  expect(events).toEqual([
    { type: 'replica', name: 'one', state: 'used', lag: 0 },
    { type: 'replica', name: 'two', state: 'used', lag: 0 },
  ]);
  await read();
  expect(watched?.counts()).toEqual({ replica: 1, fallback: 0, recheck: 0 });
});

test('a sample counts from the time before its query was sent', async () => {
  primary.delay = 300;
  watch();
  await advance(900);
  expect(watched?.status()[0]).toEqual({ name: 'one', state: 'used', lag: 300 });
});

test('a position with letters and a high half is compared as a number', async () => {
  primary.lsn = 0xab_0000_000an;
  replicas[0].lsn = 0xaa_ffff_ffffn;
  replicas[1].lsn = 0xab_0000_000an;
  expect(await watch().checked).toMatchObject([{ state: 'lagging' }, { state: 'used' }]);
});

test('checks follow each other after an eighth of maxLag, from 50 ms to 1 s', async () => {
  for (const [maxLag, checks] of [
    [250, 20],
    [2_000, 4],
    [8_000, 1],
    [3_600_000, 1],
  ] as const) {
    primary.sent = [];
    watch({ maxLag });
    await advance(1_000);
    await watched?.close();
    // The identity is read once.
    expect(primary.sent.length - 1).toBe(checks + 1);
  }
});

test('the identity of a server is read once on each connection', async () => {
  watch();
  await advance(1_000);
  expect(replicas[0].sent.filter((sql) => sql.includes('system_identifier'))).toHaveLength(1);
  replicas[0].connections[0]?.emit('error', new Error('terminated'));
  await advance(1_000);
  expect(replicas[0].sent.filter((sql) => sql.includes('system_identifier'))).toHaveLength(2);
});

describe('a state', () => {
  test('is lagging as soon as the limit has passed, without a check', async () => {
    watch({ maxLag: 250 });
    await advance(0);
    replicas[0].isFrozen = true;
    await advance(250);
    expect(watched?.status()[0]).toEqual({ name: 'one', state: 'used', lag: 250 });
    await advance(1);
    expect(watched?.status()[0]).toEqual({ name: 'one', state: 'lagging', lag: 251 });
  });

  test('is lagging while a replica replays too little, and one event reports each change', async () => {
    watch();
    await advance(0);
    events = [];
    primary.lsn += 100n;
    await advance(10_000);
    expect(watched?.status()[0]).toEqual({ name: 'one', state: 'lagging', lag: 10_000 });
    replicas[0].lsn += 100n;
    await advance(250);
    expect(watched?.status()).toMatchObject([{ state: 'used' }, { state: 'lagging' }]);
    expect(events.map((event) => event.type === 'replica' && [event.name, event.state])).toEqual([
      ['one', 'lagging'],
      ['two', 'lagging'],
      ['one', 'used'],
    ]);
  });

  test('near the limit is reported once, not at each check', async () => {
    watch();
    await advance(0);
    events = [];
    const positions: bigint[] = [];
    const replayAfter = async (checks: number) => {
      for (let check = 0; check < 40; check += 1) {
        primary.lsn += 1n;
        positions.push(primary.lsn);
        replicas[0].lsn = positions.at(-checks) ?? replicas[0].lsn;
        replicas[1].lsn = primary.lsn;
        await advance(250);
      }
    };
    // The lag is between 2 and 2.25 s.
    await replayAfter(9);
    expect(events).toMatchObject([{ name: 'one', state: 'lagging' }]);
    expect(watched?.status()[0]?.state).toBe('used');
    await replayAfter(2);
    expect(events).toMatchObject([{}, { name: 'one', state: 'used' }]);
  });

  test.each<[string, Partial<FakePostgres>]>([
    ['no-replica', { stream: null }],
    ['other-cluster', { cluster: '8' }],
    ['not-permitted', { isPermitted: false }],
    ['other-timeline', { stream: { timeline: 2 } }],
    ['lagging', { stream: { timeline: undefined } }],
    ['unreachable', { failure: new Error('Connection terminated unexpectedly') }],
  ])('is %s with %o, and the other replica is used', async (state, difference) => {
    Object.assign(replicas[0], difference);
    const [one, two] = await watch().checked;
    expect([one?.state, two?.state]).toEqual([state, 'used']);
    expect(events.find((event) => event.type === 'replica' && event.name === 'one')).toMatchObject({ state });
  });

  test('is not-permitted if the right is revoked while the connection is held', async () => {
    watch();
    await advance(0);
    replicas[0].isPermitted = false;
    await advance(250);
    expect(watched?.status()[0]?.state).toBe('not-permitted');
  });

  test('is unreachable with an explained error after a check of 1 s, and used after the next good one', async () => {
    watch();
    await advance(0);
    events = [];
    replicas[0].isFrozen = true;
    await advance(1_250);
    const message = expect.stringContaining('Failed to use replica one: the server did not respond in time.');
    expect(events).toEqual([
      { type: 'replica', name: 'one', state: 'unreachable', lag: 1_250, error: expect.objectContaining({ message }) },
    ]);
    replicas[0].isFrozen = false;
    await advance(250);
    expect(events[1]).toEqual({ type: 'replica', name: 'one', state: 'used', lag: expect.any(Number) });
  });
});

test('a read that loses a replica makes it unreachable until a check that began later', async () => {
  watch();
  await advance(0);
  events = [];
  replicas[0].delay = 100;
  replicas[1].delay = 100;
  // Both checks are running.
  await advance(300);
  const failure = Object.assign(new Error('connection reset'), { code: 'ECONNRESET' });
  replicas[0].answer = () => Promise.reject(failure);
  replicas[1].answer = () => Promise.reject(failure);
  replicas[0].delay = 0;
  replicas[1].delay = 0;
  await read();
  expect(watched?.counts()).toEqual({ replica: 0, fallback: 1, recheck: 0 });
  const message = expect.stringContaining('Failed to use replica one: the connection was lost.');
  expect(events[0]).toMatchObject({ name: 'one', state: 'unreachable', error: expect.objectContaining({ message }) });
  await advance(100);
  expect(watched?.status()).toMatchObject([{ state: 'unreachable' }, { state: 'unreachable' }]);
  await advance(350);
  expect(watched?.status()).toMatchObject([{ state: 'used' }, { state: 'used' }]);
  expect(events).toHaveLength(4);
});

test('a lost connection makes a replica unreachable at once, and rejects its reads', async () => {
  watch();
  await advance(0);
  events = [];
  replicas[0].isFrozen = true;
  replicas[1].isFrozen = true;
  const reading = read();
  await advance(0);
  // A replica that restarts can be as old as its last restart point, which is longer ago than what it had proved.
  for (const server of replicas) server.connections[0]?.emit('error', new Error('Connection terminated unexpectedly'));
  expect(watched?.status()).toMatchObject([{ state: 'unreachable' }, { state: 'unreachable' }]);
  await reading;
  expect(watched?.counts()).toEqual({ replica: 0, fallback: 1, recheck: 0 });
  for (const server of replicas) server.isFrozen = false;
  await advance(250);
  expect(watched?.status()).toMatchObject([{ state: 'used' }, { state: 'used' }]);
  // It belongs to a check that has ended.
  replicas[0].connections[0]?.emit('error', new Error('Connection terminated unexpectedly'));
  expect(watched?.status()[0]?.state).toBe('used');
  primary.connections[0]?.emit('error', new Error('Connection terminated unexpectedly'));
  await advance(250);
  // The checks continue on another connection.
  expect(events.filter(({ type }) => type === 'primary')).toEqual([]);
});

describe('while the primary cannot be reached', () => {
  test('maxOutage counts, and an event has the reason', async () => {
    watch({ maxOutage: 10_000 });
    await advance(0);
    events = [];
    primary.failure = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    for (const server of replicas) server.stream = { timeline: undefined };
    await advance(9_900);
    expect(watched?.status()).toMatchObject([{ state: 'used' }, { state: 'used' }]);
    const message = expect.stringContaining('Failed to use the primary: the connection was refused.');
    expect(events).toEqual([{ type: 'primary', isReachable: false, error: expect.objectContaining({ message }) }]);
    await advance(200);
    expect(watched?.status()).toMatchObject([{ state: 'lagging' }, { state: 'lagging' }]);
  });

  test('a replica that lagged before is not used', async () => {
    watch({ maxOutage: 10_000 });
    await advance(0);
    primary.lsn += 100n;
    replicas[1].lsn += 100n;
    await advance(3_000);
    events = [];
    primary.failure = new Error('Connection terminated unexpectedly');
    await advance(5_000);
    expect(watched?.status()).toMatchObject([{ state: 'lagging' }, { state: 'used' }]);
    expect(events).toMatchObject([{ type: 'primary', isReachable: false }]);
    // It has received all that is known of the primary.
    replicas[0].lsn += 100n;
    await advance(250);
    expect(watched?.status()).toMatchObject([{ state: 'used' }, { state: 'used' }]);
  });

  test('and then can, replicas stay in use until they were checked', async () => {
    watch();
    await advance(0);
    primary.failure = new Error('Connection terminated unexpectedly');
    await advance(5_000);
    primary.failure = undefined;
    events = [];
    // Its next sample comes between two checks of the replicas.
    primary.delay = 30;
    for (let time = 0; time < 1_000; time += 10) await advance(10);
    expect(events).toEqual([{ type: 'primary', isReachable: true }]);
    expect(watched?.status()[0]?.lag).toBeLessThan(500);
  });

  test('a smaller maxOutage than maxLag has no effect', async () => {
    watch({ maxOutage: 0 });
    await advance(0);
    primary.failure = new Error('Connection terminated unexpectedly');
    await advance(2_000);
    expect(watched?.status()[0]?.state).toBe('used');
    await advance(1);
    expect(watched?.status()[0]?.state).toBe('lagging');
  });

  test('and then can, maxLag counts from the next check on', async () => {
    watch({ maxOutage: 10_000 });
    await advance(0);
    for (const server of replicas) server.stream = { timeline: undefined };
    primary.failure = new Error('Connection terminated unexpectedly');
    await advance(5_000);
    expect(watched?.status()[0]?.state).toBe('used');
    events = [];
    primary.failure = undefined;
    await advance(250);
    expect(watched?.status()[0]?.state).toBe('lagging');
    expect(events[0]).toEqual({ type: 'primary', isReachable: true });
  });

  test('because it is a replica, the event says so', async () => {
    primary.stream = { timeline: 1 };
    await watch().checked;
    const error = expect.objectContaining({
      message: expect.stringMatching(/^Failed to check the primary: .* replica\./),
    });
    expect(events[0]).toEqual({ type: 'primary', isReachable: false, error });
    // No limit would hold for a read from it.
    await expect(read()).rejects.toMatchObject({ code: 'unreachable' });
    primary.stream = null;
    await advance(250);
    await read();
  });
});

test('after a failover, a replica of the old timeline is not used, and one of the new timeline is', async () => {
  watch();
  await advance(0);
  primary.timeline = 0x1a;
  primary.lsn += 10n;
  replicas[0].lsn += 500n;
  replicas[1].lsn += 10n;
  replicas[1].stream = { timeline: 0x1a };
  await advance(500);
  expect(watched?.status()).toMatchObject([{ state: 'other-timeline' }, { state: 'used' }]);
});

test('an error of onChange ends neither a check nor a read', async () => {
  watch({
    onChange() {
      throw new Error('The log is full');
    },
  });
  await advance(0);
  replicas[0].answer = () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  await read();
  await read();
  expect(watched?.status()).toMatchObject([{ state: 'unreachable' }, { state: 'used' }]);
  await advance(250);
  expect(watched?.status()[0]?.state).toBe('used');
});

test('a promise that onChange returns may reject', async () => {
  watch({ onChange: () => Promise.reject(new Error('The metrics cannot be sent')) });
  // Vitest fails the run if a rejection is not handled.
  expect(await watched?.checked).toMatchObject([{ state: 'used' }, { state: 'used' }]);
});

test('close gives all connections back, ends events, and reads use the primary', async () => {
  watch();
  await advance(0);
  events = [];
  await watched?.close();
  await watched?.close();
  const connections = [primary, ...replicas].flatMap((server) => server.connections);
  expect(connections.map(({ released }) => released)).toEqual([false, false, false]);
  expect(watched?.status()[0]).toEqual({ name: 'one', state: 'lagging', lag: null });
  await read();
  expect(watched?.counts()).toEqual({ replica: 0, fallback: 1, recheck: 0 });
  expect(events).toEqual([]);
});

test('checked resolves if the checks are closed before', async () => {
  const { checked } = watch();
  await watched?.close();
  expect(await checked).toMatchObject([{ state: 'lagging' }, { state: 'lagging' }]);
});

test('checked resolves if nothing responds', async () => {
  for (const server of [primary, ...replicas]) server.isFrozen = true;
  const { checked } = watch();
  await advance(2_000);
  expect(await checked).toMatchObject([{ state: 'unreachable' }, { state: 'unreachable' }]);
});

test.each([
  [
    { maxLag: 10 },
    'maxLag is 10, which is not a whole number from 250 to 3,600,000. Pass such a number, or leave it out.',
  ],
  [
    { maxLag: 3_600_001 },
    'maxLag is 3600001, which is not a whole number from 250 to 3,600,000. Pass such a number, or leave it out.',
  ],
  [
    { maxLag: 250.5 },
    'maxLag is 250.5, which is not a whole number from 250 to 3,600,000. Pass such a number, or leave it out.',
  ],
  [
    { maxOutage: -1 },
    'maxOutage is -1, which is not a whole number from 0 to 3,600,000. Pass such a number, or leave it out.',
  ],
  [
    { fallbackReads: 1_000_000 },
    'fallbackReads is 1000000, which is not a whole number from 0 to 999,999. Pass such a number, or leave it out.',
  ],
  [
    { fallbackReads: Number.NaN },
    'fallbackReads is NaN, which is not a whole number from 0 to 999,999. Pass such a number, or leave it out.',
  ],
])('refuses %o', (options, message) => {
  expect(() => watch(options)).toThrow(new RangeError(`Failed to watch PostgreSQL replicas: ${message}`));
  expect(primary.connections).toEqual([]);
});

test.each<[unknown, string]>([
  [undefined, 'primary.query is not a function.'],
  [{ primary: { query() {} } }, 'primary.connect is not a function.'],
  [{ replicas: undefined }, 'replicas is not an array.'],
  [{ replicas: [] }, 'replicas is empty.'],
  [{ replicas: [{ name: 'one' }] }, 'replicas.0.pool.query is not a function.'],
  [{ replicas: [null] }, 'replicas.0.name is not a string.'],
  [{ onChange: 'log' }, 'onChange is not a function.'],
])('refuses the shape %o', (options, problem) => {
  const watching = () => watch(options as never);
  if (options === undefined) expect(() => watchPostgresReplicas(undefined as never)).toThrow(problem);
  else expect(watching).toThrow(new TypeError(`Failed to watch PostgreSQL replicas: ${problem} ${advice}`));
});
const advice = 'Pass { primary, replicas: [{ name, pool }] }.';

test('refuses two replicas with the same name', () => {
  const replica = { name: 'one', pool: primary.pool };
  const message = 'Failed to watch PostgreSQL replicas: two replicas are named one. Give each one its own name.';
  expect(() => watch({ replicas: [replica, replica] })).toThrow(new TypeError(message));
});

test('refuses replicas that it did not make', () => {
  watch();
  const copy = { ...watched } as PostgresReplicas;
  expect(() => routerOf(copy)).toThrow('replicas is not the result of watchPostgresReplicas');
});

function watch(options: Partial<PostgresReplicasOptions> = {}): PostgresReplicas {
  const [one, two] = replicas;
  watched = watchPostgresReplicas({
    primary: primary.pool,
    replicas: [
      { name: 'one', pool: one.pool },
      { name: 'two', pool: two.pool },
    ],
    onChange: (event) => events.push(event),
    ...options,
  });
  return watched;
}

async function read() {
  if (watched === undefined) throw new Error('Failed to read: nothing is watched. Call watch first.');
  return routerOf(watched).read('SELECT 1');
}
