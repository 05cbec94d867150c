import { tmpdir } from 'node:os';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../postgres/start-postgres.ts';
import { startLoad } from './load.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { askReplica, fillPostgres, memoryCount, startReplica } from './postgres-service.ts';

test('the primary crashes under load, and its promoted standby takes over without a restart', async () => {
  const primary = await startPostgres();
  onTestFinished(primary.stop);
  const key = await fillPostgres(primary.url, sampleRecords(memoryCount));
  const standby = await primary.startStandby();
  onTestFinished(standby.stop);
  // The standby is first in the list, so each search passes over it until it is promoted.
  const hosts = [standby, primary].map(({ url }) => new URL(url).host).join();
  const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  const server = await startReplica(url, tmpdir());
  onTestFinished(server.close);
  const ask = (path: string) => askReplica(server, key, path);
  const load = startLoad(8, () => ask('/v1/memories/mem_000001'));
  await load.ended(80);
  expect(statuses(load.outcomes)).toEqual(['200']);

  const beforeCrash = load.outcomes.length;
  primary.crash();
  await load.ended(80);
  const beforePromotion = load.outcomes.length;
  expect(statuses(load.outcomes.slice(-8))).toEqual(['500']);
  expect((await ask('/readyz')).status).toBe(503);

  const promotedAt = performance.now();
  const promotion = promote(standby.url);
  do await load.ended(1);
  while (!statuses(load.outcomes.slice(beforePromotion)).includes('200'));
  const seconds = (performance.now() - promotedAt) / 1_000;
  await promotion;
  await load.ended(8);
  const afterPromotion = load.outcomes.length;
  await load.ended(80);
  await load.stop();
  expect(statuses(load.outcomes.slice(afterPromotion))).toEqual(['200']);
  for (const outcome of load.outcomes) assertTrue(outcome);
  expect((await ask('/readyz')).status).toBe(200);
  expect(server.child.exitCode).toBeNull();

  const lost = (from: number, to?: number) =>
    load.outcomes.slice(from, to).filter((outcome) => !isSuccess(outcome)).length;
  console.log(
    `Failover: the first 200 came ${seconds.toFixed(2)} s after the promotion began. ` +
      `Requests lost: ${lost(beforeCrash, beforePromotion)} before it, ${lost(beforePromotion)} after it began.`,
  );
});

async function promote(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_promote()');
  await client.end();
}

function isSuccess(outcome: unknown): boolean {
  return (outcome as { status?: unknown }).status === 200;
}
