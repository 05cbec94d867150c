import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { ServeProcess } from '../serving/start-serve.ts';
import { type Load, startLoad } from './load.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { askReplica, memoryCount, type Replicas, startReplica, startReplicas } from './postgres-service.ts';

const counts = runCounts.requestsOfReplica.full;
const replicaCount = 3;
const connectionsOfReplica = 10;
/** Requests in flight for each replica, more than it has connections. */
const parallel = 2 * connectionsOfReplica;
const oneMemory = '/v1/memories/mem_000001';
let service: Replicas;
let observer: Client;

beforeAll(async () => {
  service = await startReplicas(replicaCount);
  // `pool.end` would not wait until its connections are closed, so one could get the shutdown message of PostgreSQL.
  observer = new Client({ connectionString: service.postgres.url });
  await observer.connect();
  return async () => {
    await observer.end();
    await service.close();
  };
});

test.each([
  ['one memory', oneMemory, counts.memories],
  [`a list of ${memoryCount}`, '/v1/memories', counts.lists],
])(
  `${replicaCount} replicas under load respond for %s and use at most ${connectionsOfReplica} connections each`,
  async (what, path, countOfReplica) => {
    await underLoad(path, parallel);
    const before = await processorTime();
    const outcomes = await underLoad(path, countOfReplica);
    const after = await processorTime();
    const each = (side: 'serve' | 'postgres') => Math.round((after[side] - before[side]) / outcomes.length);
    console.log(`${what}: ${each('serve')} µs of a core for serve, ${each('postgres')} µs for PostgreSQL`);
    expect(outcomes.length).toBeGreaterThanOrEqual(replicaCount * countOfReplica);
    expect(statuses(outcomes)).toEqual(['200']);
    for (const outcome of outcomes) assertTrue(outcome);
    expect((await backends()).length).toBeLessThanOrEqual(replicaCount * connectionsOfReplica);
  },
);

test('if one of three replicas is killed under load, the others continue, no response is incomplete, and a successor responds', async () => {
  const loads = service.replicas.map((replica) => startLoad(6, alternating(replica)));
  const [killedLoad, ...otherLoads] = loads as [Load, ...Load[]];
  const [killed, ...others] = service.replicas as [ServeProcess, ...ServeProcess[]];
  await Promise.all(loads.map((load) => load.ended(60)));
  const before = killedLoad.outcomes.length;
  // A running replica could respond to every request before the SIGKILL arrives. A stopped one cannot.
  killed.child.kill('SIGSTOP');
  await Promise.all(otherLoads.map((load) => load.ended(100)));
  const stopping = killedLoad.stop();
  killed.child.kill('SIGKILL');
  await killed.ended;
  await Promise.all(otherLoads.map((load) => load.ended(100)));
  await Promise.all([stopping, ...otherLoads.map((load) => load.stop())]);

  expect(statuses(killedLoad.outcomes.slice(0, before))).toEqual(['200']);
  expect(statuses(killedLoad.outcomes)).toEqual(['200', 'broken']);
  const broken = killedLoad.outcomes.filter((outcome) => outcome === 'broken');
  expect(broken.length, 'only what was in flight').toBeLessThanOrEqual(6);
  for (const load of otherLoads) expect(statuses(load.outcomes)).toEqual(['200']);
  for (const outcome of loads.flatMap((load) => load.outcomes)) assertTrue(outcome);

  const successor = await startReplica(service.postgres.url, tmpdir());
  service.replicas.push(successor);
  const lists = [...others, successor].map(async (replica) => {
    const memories: { id: string }[] = await (await askReplica(replica, service.key, '/v1/memories')).json();
    return memories.map(({ id }) => id);
  });
  const [first, ...rest] = await Promise.all(lists);
  expect(first).toHaveLength(memoryCount);
  expect(rest).toEqual(rest.map(() => first));
});

function alternating(replica: ServeProcess): () => Promise<Response> {
  let turn = 0;
  return () => {
    turn += 1;
    return askReplica(replica, service.key, turn % 2 === 0 ? '/v1/memories' : oneMemory);
  };
}

async function underLoad(path: string, countOfReplica: number) {
  const { replicas, key } = service;
  const loads = replicas.map((replica) => startLoad(parallel, () => askReplica(replica, key, path)));
  await Promise.all(loads.map((load) => load.ended(countOfReplica)));
  await Promise.all(loads.map((load) => load.stop()));
  return loads.flatMap((load) => load.outcomes);
}

/** Processor time in microseconds, of all replicas and of their PostgreSQL processes. */
async function processorTime(): Promise<{ serve: number; postgres: number }> {
  const sumOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0);
  return { serve: sumOf(service.replicas.map(({ child }) => child.pid ?? 0)), postgres: sumOf(await backends()) };
}

/** Process ids of PostgreSQL, one for each connection. */
async function backends(): Promise<number[]> {
  const sql = `SELECT pid FROM pg_stat_activity WHERE application_name = 'memory-read'`;
  return (await observer.query(sql)).rows.map(({ pid }) => pid);
}

function processorTimeOf(pid: number): number {
  // The name of the program ends with the last bracket. The 12th and 13th fields after it are the processor time.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  const tickMicroseconds = 10_000;
  return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds;
}
