import type { PostgresServer } from '@memory-read/test-kit/postgres/start-postgres';
import { expect, onTestFinished, test } from 'vitest';
import { type Load, startLoad } from './load.ts';
import { readers } from './outages.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { requestWithKey, type Service, startService } from './postgres-service.ts';

interface Servers {
  primary: PostgresServer;
  first: PostgresServer;
  second: PostgresServer;
}

interface Outage {
  event: string;
  play(servers: Servers, load: Load): Promise<unknown>;
}

const outages: Outage[] = [
  {
    event: 'A replica crashes and starts again',
    async play({ first }, load) {
      first.crash();
      await load.ended(10 * readers);
      await first.shutDown();
      await first.startAgain();
    },
  },
  {
    event: 'A replica no longer responds',
    async play({ first }, load) {
      first.pause();
      await load.ended(10 * readers);
    },
  },
  {
    event: 'The primary crashes, and a replica is promoted',
    play: ({ primary, ...replicas }, load) => {
      primary.crash();
      return promote(replicas, load);
    },
  },
  {
    event: 'The primary no longer responds, and a replica is promoted',
    play: ({ primary, ...replicas }, load) => {
      primary.pause();
      return promote(replicas, load);
    },
  },
];

test.each(outages)('$event under load: no read fails, and the server stays ready', async ({ event, play }) => {
  const { servers, request } = await start();
  let slowest = 0;
  const timed = (path: string) => async () => {
    const start = performance.now();
    const response = await request(path);
    slowest = Math.max(slowest, performance.now() - start);
    return response;
  };
  const memories = startLoad(readers, timed('/v1/memories/mem_000001'));
  const lists = startLoad(2, timed('/v1/memories'));
  const checks = startLoad(1, timed('/readyz'));
  await memories.ended(80);
  await play(servers, memories);
  await memories.ended(200);
  await Promise.all([memories, lists, checks].map((load) => load.stop()));
  const outcomes = [...memories.outcomes, ...lists.outcomes];
  const failed = outcomes.filter((outcome) => typeof outcome === 'string' || outcome.status !== 200).length;
  const seconds = (slowest / 1_000).toFixed(2);
  console.log(`${event}: ${failed} of ${outcomes.length} reads failed, and the slowest took ${seconds} s.`);
  expect(statuses([...outcomes, ...checks.outcomes])).toEqual(['200']);
  for (const outcome of outcomes) assertTrue(outcome);
});

test('when all servers were down, reads recover without a restart', async () => {
  const { servers, request, service } = await start();
  const all = Object.values<PostgresServer>(servers);
  const load = startLoad(readers, () => request('/v1/memories/mem_000001'));
  await load.ended(80);
  await Promise.all(all.map((server) => server.shutDown()));
  await expect.poll(async () => (await request('/readyz')).status).toBe(503);
  await Promise.all(all.map((server) => server.startAgain()));
  await expect.poll(async () => (await request('/readyz')).status).toBe(200);
  await expect.poll(async () => (await request('/v1/memories')).status).toBe(200);
  const from = load.outcomes.length + readers;
  await load.ended(80);
  await load.stop();
  expect(statuses(load.outcomes.slice(from))).toEqual(['200']);
  for (const outcome of load.outcomes) assertTrue(outcome);
  expect(service.processes[0]?.child.exitCode).toBeNull();
});

async function start() {
  const service = await startService({ processes: 1, replicas: 2 });
  onTestFinished(service.close);
  const { postgres: primary, processes, key, replicas } = service;
  const [server] = processes as [Service['processes'][number]];
  const [first, second] = replicas as [PostgresServer, PostgresServer];
  return { service, servers: { primary, first, second }, request: (path: string) => requestWithKey(server, key, path) };
}

/** The other replica follows the promoted one later, as in a cluster. */
async function promote({ first, second }: Omit<Servers, 'primary'>, load: Load): Promise<void> {
  await load.ended(10 * readers);
  await first.query('SELECT pg_promote()');
  await load.ended(10 * readers);
  await second.follow(first);
  await expect.poll(() => second.query('SELECT FROM pg_stat_wal_receiver')).toHaveLength(1);
}
