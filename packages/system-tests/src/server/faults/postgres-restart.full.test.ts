import { runCounts } from '@memory-read/test-kit/run-counts';
import { beforeAll, expect, test } from 'vitest';
import type { ServeProcess } from '../serving/start-serve.ts';
import { startLoad } from './load.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { askReplica, type Replicas, startReplicas } from './postgres-service.ts';

const restarts = runCounts.postgresRestarts.full;
let service: Replicas;

beforeAll(async () => {
  service = await startReplicas(1);
  return service.close;
});

test(`PostgreSQL restarts ${restarts} times under load: complete 500s while it is unavailable, and normal responses afterwards`, async () => {
  const { postgres, key, replicas } = service;
  const [server] = replicas as [ServeProcess];
  const ask = (path: string) => askReplica(server, key, path);
  const gets = startLoad(8, () => ask('/v1/memories/mem_000001'));
  const lists = startLoad(4, () => ask('/v1/memories'));
  for (let restart = 0; restart < restarts; restart += 1) {
    await Promise.all([gets.ended(40), lists.ended(8)]);
    await postgres.shutDown();
    await Promise.all([gets.ended(8), lists.ended(4)]);
    // A success counts for a second.
    await expect.poll(async () => (await ask('/readyz')).status).toBe(503);
    expect((await ask('/healthz')).status).toBe(200);
    const [getsFrom, listsFrom] = [gets.outcomes.length, lists.outcomes.length];
    await Promise.all([gets.ended(40), lists.ended(20)]);
    expect(statuses(gets.outcomes.slice(getsFrom))).toEqual(['500']);
    expect(statuses(lists.outcomes.slice(listsFrom))).toEqual(['500']);

    await postgres.startAgain();
    expect((await ask('/readyz')).status).toBe(200);
    await Promise.all([gets.ended(8), lists.ended(4)]);
    const [getsAgain, listsAgain] = [gets.outcomes.length, lists.outcomes.length];
    await Promise.all([gets.ended(40), lists.ended(8)]);
    expect(statuses(gets.outcomes.slice(getsAgain))).toEqual(['200']);
    expect(statuses(lists.outcomes.slice(listsAgain))).toEqual(['200']);
  }
  await Promise.all([gets.stop(), lists.stop()]);
  // A list that has begun is cut off, so that a part of it does not look complete. A memory is sent as a whole.
  expect(statuses(gets.outcomes)).toEqual(['200', '500']);
  for (const outcome of [...gets.outcomes, ...lists.outcomes]) assertTrue(outcome);
  expect(statuses(lists.outcomes)).not.toContain('hung');
  expect(server.child.exitCode).toBeNull();
});
