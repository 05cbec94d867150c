import type { PostgresServer } from '@memory-read/test-kit/postgres/start-postgres';
import { expect, onTestFinished, test } from 'vitest';
import { type Load, startLoad } from './load.ts';
import { readers } from './outages.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { requestWithKey, startService } from './postgres-service.ts';

interface Outage {
  event: string;
  play(replica: PostgresServer, load: Load): Promise<unknown>;
}

const outages: Outage[] = [
  {
    event: 'A replica crashes and starts again',
    async play(replica, load) {
      replica.crash();
      await load.ended(10 * readers);
      await replica.shutDown();
      await replica.startAgain();
    },
  },
  {
    event: 'A replica no longer responds',
    async play(replica, load) {
      replica.pause();
      await load.ended(10 * readers);
    },
  },
];

test.each(outages)('$event under load: no read fails, and the server stays ready', async ({ event, play }) => {
  const { processes, replicas, key, close } = await startService({ processes: 1, replicas: 2 });
  onTestFinished(close);
  const [server, replica] = [...processes, ...replicas] as [(typeof processes)[number], PostgresServer];
  let slowest = 0;
  const timed = (path: string) => async () => {
    const start = performance.now();
    const response = await requestWithKey(server, key, path);
    slowest = Math.max(slowest, performance.now() - start);
    return response;
  };
  const memories = startLoad(readers, timed('/v1/memories/mem_000001'));
  const lists = startLoad(2, timed('/v1/memories'));
  const checks = startLoad(1, timed('/readyz'));
  await memories.ended(80);
  await play(replica, memories);
  await memories.ended(200);
  await Promise.all([memories, lists, checks].map((load) => load.stop()));
  const outcomes = [...memories.outcomes, ...lists.outcomes];
  const failed = outcomes.filter((outcome) => typeof outcome === 'string' || outcome.status !== 200).length;
  const seconds = (slowest / 1_000).toFixed(2);
  console.log(`${event}: ${failed} of ${outcomes.length} reads failed, and the slowest took ${seconds} s.`);
  expect(statuses([...outcomes, ...checks.outcomes])).toEqual(['200']);
  for (const outcome of outcomes) assertTrue(outcome);
});
