import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { after, type Cluster, openStore, readUntil, startCluster, untilReplayed } from './start-cluster.ts';

let cluster: Cluster;

beforeEach(async () => {
  cluster = await startCluster();
  return cluster.stop;
});

const promote = 'SELECT pg_promote()';

test('a replica that ends is left without a failed read, and used again when it has started', async () => {
  const { primary, replicas } = cluster;
  const store = await openStore(primary, replicas);
  await store.untilStates('used', 'used');
  let hasStarted = false;
  const reading = readUntil(store, () => hasStarted);
  replicas[0].crash();
  await store.untilStates('unreachable', 'used');
  await replicas[0].shutDown();
  await replicas[0].startAgain();
  await store.untilStates('used', 'used');
  hasStarted = true;
  await reading;
  expect(store.replicas.counts()).toMatchObject({ fallback: 0 });
});

test('reads continue while the primary has crashed, and a promoted replica takes its place', async () => {
  const { primary, replicas } = cluster;
  const [promoted, other] = replicas;
  const store = await openStore(primary, [primary, ...replicas]);
  await store.untilStates('no-replica', 'used', 'used');
  let isOver = false;
  const reading = readUntil(store, () => isOver);
  primary.crash();
  await store.untilStates('unreachable', 'used', 'used');
  await promoted.query(promote);
  store.failOver(promoted);
  await other.follow(promoted);
  await store.untilStates('unreachable', 'no-replica', 'used');
  await store.putMemories('ada', [sampleRecord({ id: 'later' })]);
  // The former primary has another history now, and accepts writes.
  await primary.shutDown();
  await primary.startAgain();
  await store.untilStates('no-replica', 'no-replica', 'used');
  isOver = true;
  await reading;
  expect(await store.getMemory({ userId: 'ada', memoryId: 'later' })).toMatchObject({ id: 'later' });
});

test('a replica that still follows the former primary is not used until it follows the promoted one', async () => {
  const { primary, replicas } = cluster;
  const [promoted, other] = replicas;
  const store = await openStore(primary, replicas, { maxLag: 500 });
  await untilReplayed(primary, replicas);
  // The other replica stays connected to it.
  primary.pause();
  await promoted.query(promote);
  store.failOver(promoted);
  await store.untilStates('no-replica', 'other-timeline');
  await readUntil(store, after(1_000));
  expect(store.replicas.counts().fallback).toBeGreaterThan(0);
  await other.follow(promoted);
  await store.untilStates('no-replica', 'used');
  await store.putMemories('ada', [sampleRecord({ id: 'later' })]);
  await untilReplayed(promoted, [other]);
  expect(await store.getMemory({ userId: 'ada', memoryId: 'later' })).toMatchObject({ id: 'later' });
});

test('a replica that received more than the promoted one is not used, although its position is higher', async () => {
  const { primary, replicas } = cluster;
  const [promoted, ahead] = replicas;
  const store = await openStore(primary, replicas, { maxLag: 500 });
  await promoted.follow(undefined);
  await expect.poll(() => promoted.query('SELECT FROM pg_stat_wal_receiver')).toEqual([]);
  await store.putMemories(
    'ada',
    Array.from({ length: 200 }, (_, index) => sampleRecord({ id: `lost-${index}` })),
  );
  await store.untilStates('lagging', 'used');
  primary.crash();
  await promoted.query(promote);
  const [{ lsn } = {}] = await promoted.query('SELECT pg_current_wal_flush_lsn() AS lsn');
  expect(await ahead.query(`SELECT pg_last_wal_replay_lsn() > '${lsn}' AS is_ahead`)).toEqual([{ is_ahead: true }]);
  store.failOver(promoted);
  await ahead.follow(promoted);
  await expect.poll(() => store.replicas.status()[1]?.state).not.toBe('used');
  const { length } = store.events;
  await readUntil(store, after(1_500));
  const states = store.events
    .slice(length)
    .map((event) => (event.type === 'replica' ? event.state : event.isReachable));
  expect(states).not.toContain('used');
  expect(await store.getMemory({ userId: 'ada', memoryId: 'lost-0' })).toBeUndefined();
});

test('a replica of another cluster is not used', async () => {
  const stranger = await startPostgres();
  onTestFinished(stranger.stop);
  const other = await stranger.startStandby();
  onTestFinished(other.stop);
  const store = await openStore(cluster.primary, [other, cluster.replicas[0]]);
  await store.untilStates('other-cluster', 'used');
});

test('another database of the cluster is not used', async () => {
  const [first, second] = cluster.replicas;
  const other = { ...first, url: first.url.replace(/postgres$/, 'template1') };
  const store = await openStore(cluster.primary, [other, second]);
  await store.untilStates('other-cluster', 'used');
});

test('a user without pg_read_all_stats is not permitted, until the right is granted', async () => {
  const { primary, replicas } = cluster;
  await primary.query('CREATE ROLE reader LOGIN');
  await primary.query('GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader');
  await expect.poll(() => replicas[1].query("SELECT FROM pg_roles WHERE rolname = 'reader'")).toHaveLength(1);
  const store = await openStore(primary, replicas, { user: 'reader' });
  await store.untilStates('not-permitted', 'not-permitted');
  await primary.query('GRANT pg_read_all_stats TO reader');
  await store.untilStates('used', 'used');
  await readUntil(store, after(0));
});

test('reads recover without a restart when all servers were down', async () => {
  const { primary, replicas } = cluster;
  const store = await openStore(primary, replicas, { maxLag: 500, maxOutage: 0 });
  await store.untilStates('used', 'used');
  await Promise.all([...replicas, primary].map((server) => server.shutDown()));
  await store.untilStates('unreachable', 'unreachable');
  const reading = store.getMemory({ userId: 'ada', memoryId: 'mem_000001' });
  await expect(reading).rejects.toMatchObject({ name: 'PostgresStoreError', code: 'unreachable' });
  await Promise.all([primary, ...replicas].map((server) => server.startAgain()));
  await store.untilStates('used', 'used');
  await readUntil(store, after(100));
});
