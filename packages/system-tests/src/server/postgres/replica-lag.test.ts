import { createApiKey } from '@memory-read/server';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { hold, lockTables } from './lock-waits.ts';
import {
  after,
  type Cluster,
  openStore,
  pauseReplay,
  readUntil,
  startCluster,
  untilReplayed,
} from './start-cluster.ts';

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  return cluster.stop;
});

afterEach(async () => {
  for (const server of cluster.servers) server.resume();
  for (const { query } of cluster.replicas) await query('SELECT pg_wal_replay_resume()');
});

test('a replica that does not replay is left after maxLag, and used again when it has caught up', async () => {
  const store = await open({ maxLag: 500 });
  await store.untilStates('used', 'used');
  await pauseReplay(cluster.replicas[0]);
  await store.putAccount({ userId: 'eve' });
  // The next check reports what the state has been since the limit was exceeded.
  const states = () =>
    store.events.flatMap((event) => (event.type === 'replica' && event.name === '0' ? event.state : []));
  await expect.poll(states).toEqual(['used', 'lagging']);
  expect(store.replicas.status()).toMatchObject([{ state: 'lagging' }, { state: 'used' }]);
  expect(store.replicas.status()[0]?.lag).toBeGreaterThan(500);
  await cluster.replicas[0].query('SELECT pg_wal_replay_resume()');
  await expect.poll(states).toEqual(['used', 'lagging', 'used']);
});

test.each([
  ['nobody writes', undefined],
  ['a WAL file was switched and nobody writes', 'SELECT pg_switch_wal()'],
])('replicas stay usable for longer than maxLag while %s', async (_, statement) => {
  const store = await open({ maxLag: 1_000 });
  await store.putAccount({ userId: 'eve' });
  if (statement !== undefined) await cluster.primary.query(statement);
  await store.untilStates('used', 'used');
  const { length } = store.events;
  await readUntil(store, after(2_000));
  expect(store.events.slice(length)).toEqual([]);
  expect(store.replicas.counts()).toMatchObject({ fallback: 0 });
});

test('a frozen replica fails no read, and the other replica stays usable', async () => {
  const store = await open({ maxLag: 1_000 });
  await store.untilStates('used', 'used');
  const isFrozen = () => store.replicas.status()[1]?.state === 'unreachable';
  const reading = readUntil(store, isFrozen);
  cluster.replicas[1].pause();
  const slowest = await reading;
  console.log(`A frozen replica: the slowest read took ${slowest} ms.`);
  await readUntil(store, after(2_000));
  expect(store.events.filter((event) => event.type === 'replica' && event.name === '0')).toHaveLength(1);
  expect(store.replicas.counts()).toMatchObject({ fallback: 0 });
  cluster.replicas[1].resume();
  await store.untilStates('used', 'used');
});

test('while the primary is frozen, reads continue for maxOutage and then fail', async () => {
  const store = await open({ maxLag: 500, maxOutage: 3_000 });
  await store.untilStates('used', 'used');
  const start = performance.now();
  cluster.primary.pause();
  await readUntil(store, after(2_000));
  const ofPrimary = store.events.filter(({ type }) => type === 'primary');
  expect(ofPrimary).toMatchObject([{ isReachable: false }]);
  await store.untilStates('lagging', 'lagging');
  expect(performance.now() - start).toBeGreaterThan(2_500);
  await expect(readOne(store)).rejects.toMatchObject({ name: 'PostgresStoreError', code: 'unreachable' });
  cluster.primary.resume();
  await store.untilStates('used', 'used');
  expect(await readOne(store)).toBeDefined();
});

test('a revoked key counts after maxLag at the latest, also if no replica replays', async () => {
  const maxLag = 1_000;
  const store = await open({ maxLag });
  const { keyId, keyHash } = createApiKey();
  await store.putApiKey({ keyId, keyHash, userId: 'ada' });
  await untilReplayed(cluster.primary, cluster.replicas);
  await pauseReplay(...cluster.replicas);
  await store.revokeApiKey(keyId);
  const revoked = performance.now();
  const reads: { age: number; isActive: boolean | undefined }[] = [];
  const isEnough = after(2 * maxLag);
  while (!isEnough()) {
    const age = performance.now() - revoked;
    reads.push({ age, isActive: (await store.findApiKey(keyHash))?.active });
  }
  expect(reads[0]).toMatchObject({ isActive: true });
  expect(new Set(reads.filter(({ age }) => age > maxLag).map(({ isActive }) => isActive))).toEqual(new Set([false]));
});

test('a new memory and a new key are read at once, although no replica has them', async () => {
  const store = await open({ maxLag: 60_000 });
  await store.untilStates('used', 'used');
  await pauseReplay(...cluster.replicas);
  await store.putMemories('ada', [sampleRecord({ id: 'new' })]);
  const { keyId, keyHash } = createApiKey();
  await store.putApiKey({ keyId, keyHash, userId: 'ada' });
  expect(await store.getMemory({ userId: 'ada', memoryId: 'new' })).toMatchObject({ id: 'new' });
  expect(await store.findApiKey(keyHash)).toMatchObject({ keyId });
  expect(store.replicas.counts()).toEqual({ replica: 0, fallback: 0, recheck: 2 });
});

test('a replica whose other connections are all in use does not count as unreachable', async () => {
  const store = await open({ maxLag: 1_000, poolSize: 2 });
  await store.untilStates('used', 'used');
  const [, pool] = store.pools;
  await hold(pool, 'SELECT');
  // One of them begins on each replica.
  const reading = [readOne(store), readOne(store)];
  const { length } = store.events;
  // After 2 s, the pool ends the wait, and the other replica is read.
  expect(await Promise.all(reading)).toEqual([expect.anything(), expect.anything()]);
  expect(store.events.slice(length)).toEqual([]);
});

test.each([
  ['40001', '0'],
  ['40P01', '30s'],
])('a read that PostgreSQL cancels with %s for recovery is answered by the other replica', async (_, delay) => {
  const [first, second] = cluster.replicas;
  await first.query(`ALTER SYSTEM SET max_standby_streaming_delay = '${delay}'`);
  await first.query('SELECT pg_reload_conf()');
  const store = await open({ maxLag: 60_000 });
  await untilReplayed(cluster.primary, cluster.replicas);
  await store.untilStates('used', 'used');
  await pauseReplay(second);
  const before = await conflicts();
  const unlock = [await lockTables(store.pools[0], ['memories'])];
  await untilReplayed(cluster.primary, [first]);
  // One of them begins on each replica. A list locks the accounts first, and then waits for the memories.
  const lists = [listIds(store), listIds(store)];
  await expect.poll(() => first.query(`SELECT FROM pg_locks WHERE NOT granted`)).toHaveLength(1);
  unlock.push(await lockTables(store.pools[0], ['accounts']));
  // The lock is in the WAL, which the next switch writes.
  await cluster.primary.query('SELECT pg_switch_wal()');
  expect(await Promise.all(lists)).toEqual([
    expect.arrayContaining(['mem_000001']),
    expect.arrayContaining(['mem_000001']),
  ]);
  await expect.poll(conflicts).toBe(before + 1);
  expect(store.replicas.status()).toMatchObject([{ state: 'used' }, { state: 'used' }]);
  expect(store.replicas.counts()).toMatchObject({ replica: 2, fallback: 0 });
  for (const commit of unlock) await commit();

  async function conflicts(): Promise<number> {
    const counted = 'SELECT conflicts + deadlocks AS count FROM pg_stat_database';
    return Number((await first.query(`${counted} WHERE datname = current_database()`))[0]?.count);
  }
});

function open(options: Parameters<typeof openStore>[2]) {
  return openStore(cluster.primary, cluster.replicas, options);
}

type Store = Awaited<ReturnType<typeof open>>;

function readOne(store: Store) {
  return store.getMemory({ userId: 'ada', memoryId: 'mem_000001' });
}

async function listIds(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.listMemories({ userId: 'ada' })) ids.push(id);
  return ids;
}
