import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startLoad } from './load.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { askReplica, fillPostgres, memoryCount, startReplica } from './postgres-service.ts';

test.each([
  ['crashes', (primary: PostgresServer) => primary.crash(), 80],
  // PostgreSQL may have answered the requests of all eight readers before. The next ones fail.
  ['no longer responds', freeze, 16],
])('the primary %s under load, and its promoted standby takes over without a restart', async (event, end, failures) => {
  const primary = await startPostgres();
  onTestFinished(primary.stop);
  const key = await fillPostgres(primary.url, sampleRecords(memoryCount));
  const standby = await primary.startStandby();
  onTestFinished(standby.stop);
  const hosts = [primary, standby].map(({ url }) => new URL(url).host).join();
  const url = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  const server = await startReplica(url, tmpdir(), ['--postgres-read-timeout', '1s']);
  onTestFinished(server.close);
  const ask = (path: string) => askReplica(server, key, path);
  const load = startLoad(8, () => ask('/v1/memories/mem_000001'));
  await load.ended(80);
  expect(statuses(load.outcomes)).toEqual(['200']);

  const beforeEnd = load.outcomes.length;
  await end(primary);
  await load.ended(failures);
  const beforePromotion = load.outcomes.length;
  expect(load.outcomes.at(-1)).toMatchObject({ status: 500 });

  const promotedAt = performance.now();
  const promotion = promote(standby.url);
  do await load.ended(1);
  while (!statuses(load.outcomes.slice(beforePromotion)).includes('200'));
  const seconds = (performance.now() - promotedAt) / 1_000;
  await promotion;
  await load.ended(16);
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
    `The primary ${event}: the first 200 came ${seconds.toFixed(2)} s after the promotion began. ` +
      `Requests lost: ${lost(beforeEnd, beforePromotion)} before it, ${lost(beforePromotion)} after it began.`,
  );
});

/** Stops all processes of the server, whose kernel still accepts connections. */
async function freeze({ url }: PostgresServer): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const sql = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid";
  const postmaster: number = (await client.query(sql)).rows[0].pid;
  const pids = [postmaster];
  const stop = (pid: number) => process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  });
  // From now on it starts no other process: one that is missing in the list would still answer.
  stop(postmaster);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  pids.push(...children.trim().split(' ').map(Number));
  for (const pid of pids) stop(pid);
  onTestFinished(() => void client.end());
}

async function promote(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_promote()');
  await client.end();
}

function isSuccess(outcome: unknown): boolean {
  return (outcome as { status?: unknown }).status === 200;
}
