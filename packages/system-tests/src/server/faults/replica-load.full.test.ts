import { tmpdir } from 'node:os';
import type { PostgresServer } from '@memory-read/test-kit/postgres/start-postgres';
import { processorTimeOf } from '@memory-read/test-kit/processor-time';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, onTestFinished, test } from 'vitest';
import type { ServeProcess } from '../serving/start-serve.ts';
import { type Load, startLoad } from './load.ts';
import { assertTrue, statuses } from './outcomes.ts';
import {
  connectionsTo,
  memoryCount,
  requestWithKey,
  type Service,
  servePostgres,
  startService,
} from './postgres-service.ts';

const counts = runCounts.requestsOfProcess.full;
const processCount = 3;
const connectionsOfProcess = 10;
/** Requests in flight for each process, more than it has connections. */
const parallel = 2 * connectionsOfProcess;
const oneMemory = '/v1/memories/mem_000001';

test.each([0, 2])(
  `${processCount} processes that read from %i replicas respond under load, and use at most ${connectionsOfProcess} connections to each server`,
  async (replicas) => {
    const service = await start(replicas);
    for (const [what, path, count] of [
      ['one memory', oneMemory, counts.memories],
      [`a list of ${memoryCount}`, '/v1/memories', counts.lists],
    ] as const) {
      await underLoad(service, path, parallel);
      const before = await processorTime(service);
      const outcomes = await underLoad(service, path, count);
      const after = await processorTime(service);
      const each = (side: keyof typeof after) =>
        `${((after[side] - before[side]) / outcomes.length).toFixed(side === 'primary' ? 1 : 0)} µs for ${side}`;
      const sides = replicas === 0 ? (['serve', 'primary'] as const) : (['serve', 'primary', 'replicas'] as const);
      console.log(`${what}, ${replicas} replicas: ${sides.map(each).join(', ')}`);
      expect(outcomes.length).toBeGreaterThanOrEqual(processCount * count);
      expect(statuses(outcomes)).toEqual(['200']);
      for (const outcome of outcomes) assertTrue(outcome);
    }
    const countOf = async (server: PostgresServer) => (await connectionsTo(server)).length;
    const ofReplicas = await Promise.all(service.replicas.map(countOf));
    const used = [await countOf(service.postgres), ...ofReplicas];
    expect(Math.max(...used)).toBeLessThanOrEqual(processCount * connectionsOfProcess);
    // Each process has one connection to each replica only for checks.
    for (const count of ofReplicas) expect(count).toBeGreaterThan(processCount);
  },
);

test('if one of three processes is killed under load, the others continue, no response is incomplete, and a successor responds', async () => {
  const service = await start();
  const loads = service.processes.map((process) => startLoad(6, alternating(service, process)));
  const [killedLoad, ...otherLoads] = loads as [Load, ...Load[]];
  const [killed, ...others] = service.processes as [ServeProcess, ...ServeProcess[]];
  await Promise.all(loads.map((load) => load.ended(60)));
  const before = killedLoad.outcomes.length;
  // A running process could respond to every request before the SIGKILL arrives. A stopped one cannot.
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

  const successor = await servePostgres(service.postgres.url, tmpdir());
  service.processes.push(successor);
  const lists = [...others, successor].map(async (process) => {
    const memories: { id: string }[] = await (await requestWithKey(process, service.key, '/v1/memories')).json();
    return memories.map(({ id }) => id);
  });
  const [first, ...rest] = await Promise.all(lists);
  expect(first).toHaveLength(memoryCount);
  expect(rest).toEqual(rest.map(() => first));
});

async function start(replicas = 0): Promise<Service> {
  const service = await startService({ processes: processCount, replicas });
  onTestFinished(service.close);
  return service;
}

function alternating({ key }: Service, process: ServeProcess): () => Promise<Response> {
  let turn = 0;
  return () => {
    turn += 1;
    return requestWithKey(process, key, turn % 2 === 0 ? '/v1/memories' : oneMemory);
  };
}

async function underLoad({ processes, key }: Service, path: string, countOfProcess: number) {
  const loads = processes.map((process) => startLoad(parallel, () => requestWithKey(process, key, path)));
  await Promise.all(loads.map((load) => load.ended(countOfProcess)));
  await Promise.all(loads.map((load) => load.stop()));
  return loads.flatMap((load) => load.outcomes);
}

/** Processor time in microseconds. That of a PostgreSQL server is the time of the connections of all processes. */
async function processorTime({ postgres, replicas, processes }: Service) {
  const sumOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0);
  const pids = await Promise.all([postgres, ...replicas].map(connectionsTo));
  const [primary = 0, ...others] = pids.map(sumOf);
  return {
    serve: sumOf(processes.map(({ child }) => child.pid ?? 0)),
    primary,
    replicas: others.reduce((sum, time) => sum + time, 0),
  };
}
