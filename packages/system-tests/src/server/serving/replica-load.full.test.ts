import { readFileSync } from 'node:fs';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { startLoad } from '../faults/load.ts';
import { assertTrue, statuses } from '../faults/outcomes.ts';
import { askReplica, memoryCount, type Replicas, startReplicas } from '../faults/postgres-service.ts';

const counts = runCounts.requestsOfReplica.full;
const replicaCount = 3;
const connectionsOfReplica = 10;
/** Requests in flight for each replica, more than it has connections. */
const parallel = 2 * connectionsOfReplica;
/** Length of a tick of the kernel, its unit of processor time. */
const tickMicroseconds = 10_000;
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
  ['one memory', '/v1/memories/mem_000001', counts.memories],
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

async function underLoad(path: string, countOfReplica: number) {
  const { replicas, key } = service;
  const loads = replicas.map((replica) => startLoad(parallel, () => askReplica(replica, key, path)));
  await Promise.all(loads.map((load) => load.ended(countOfReplica)));
  await Promise.all(loads.map((load) => load.stop()));
  return loads.flatMap((load) => load.outcomes);
}

/** Processor time in microseconds, of all replicas and of their PostgreSQL processes. */
async function processorTime(): Promise<{ serve: number; postgres: number }> {
  return { serve: sumOf(service.replicas.map(({ child }) => child.pid ?? 0)), postgres: sumOf(await backends()) };
}

/** Process ids of PostgreSQL, one for each connection. */
async function backends(): Promise<number[]> {
  const sql = `SELECT pid FROM pg_stat_activity WHERE application_name = 'memory-read'`;
  return (await observer.query(sql)).rows.map(({ pid }) => pid);
}

function sumOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0);
}

function processorTimeOf(pid: number): number {
  // The name of the program ends with the last bracket. The 12th and 13th fields after it are the processor time.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMicroseconds;
}
