import { tmpdir } from 'node:os';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, onTestFinished, test } from 'vitest';
import { type Load, startLoad } from './load.ts';
import { behindPgBouncer, behindProxy, type Database, readers, restarting, withStandby } from './outages.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { requestWithKey, servePostgres } from './postgres-service.ts';

const hasPgBouncer = isInstalled('pgbouncer');
const args = ['--postgres-read-timeout', '1s'];

interface Outage {
  event: string;
  start(): Promise<Database>;
  times?: number;
  args?: string[];
}

const outages: Outage[] = [
  {
    event: 'Silent network, connections lost at once',
    start: () =>
      behindProxy(async (proxy) => {
        proxy.swallow();
        proxy.forward();
      }),
  },
  {
    event: 'Silent network, also while new connections begin',
    start: () =>
      behindProxy(async (proxy, load) => {
        proxy.swallow();
        await load.ended(readers);
        // The worst moment for the end is while the next requests wait for connections that began before it.
        await expect.poll(() => proxy.open()).toBe(readers);
      }),
  },
  ...(hasPgBouncer ? [{ event: 'PgBouncer restarted', start: behindPgBouncer }] : []),
  { event: 'PostgreSQL restarted', start: restarting, times: runCounts.postgresRestarts.full },
  {
    event: 'The primary crashes',
    start: () => withStandby((primary) => primary.crash(), 80),
    args,
  },
  {
    event: 'The primary no longer responds',
    // PostgreSQL may have answered the requests of all readers before. The next ones fail.
    start: () => withStandby((primary) => primary.pause(), 2 * readers),
    args,
  },
];

test.each(outages)(
  '$event under load: complete 500s until it is repaired, then normal responses, without a restart',
  async ({ event, start, times = 1, args: more }) => {
    const { url, key, lose, repair } = await start();
    const server = await servePostgres(url, tmpdir(), more);
    onTestFinished(server.close);
    const ask = (path: string) => requestWithKey(server, key, path);
    const load = startLoad(readers, () => ask('/v1/memories/mem_000001'));
    const lists = startLoad(times > 1 ? 4 : 0, () => ask('/v1/memories'));
    await load.ended(80);
    expect(statuses(load.outcomes)).toEqual(['200']);
    for (let time = 0; time < times; time += 1) {
      const outage = watchOutage(load);
      await lose(load);
      if (times > 1) await expectUnavailable(load, ask);
      const repairedAt = performance.now();
      const repairing = repair();
      console.log(`${event}: ${await outage.figures(repairedAt)}`);
      await repairing;
      expect((await ask('/readyz')).status).toBe(200);
    }
    await Promise.all([load.stop(), lists.stop()]);
    // A list that has begun is cut off, so that a part of it does not look complete. A memory is sent as a whole.
    expect(statuses(load.outcomes)).toEqual(['200', '500']);
    expect(statuses(lists.outcomes)).not.toContain('hung');
    for (const outcome of [...load.outcomes, ...lists.outcomes]) assertTrue(outcome);
    assertTrue({ status: 200, body: await (await ask('/v1/memories')).text() });
    expect(server.child.exitCode).toBeNull();
  },
);

async function expectUnavailable(load: Load, ask: (path: string) => Promise<Response>): Promise<void> {
  // A success counts for a second.
  await expect.poll(async () => (await ask('/readyz')).status).toBe(503);
  expect((await ask('/healthz')).status).toBe(200);
  const from = load.outcomes.length;
  await load.ended(40);
  expect(statuses(load.outcomes.slice(from))).toEqual(['500']);
}

/** Begins with the requests that are in flight. The figures resolve when the load has only successes again. */
function watchOutage(load: Load) {
  const [from, start] = [load.outcomes.length, performance.now()];
  const isSuccess = (outcome: unknown) => (outcome as { status?: unknown }).status === 200;
  const lost = (begin: number) => load.outcomes.slice(begin).filter((outcome) => !isSuccess(outcome)).length;
  return {
    async figures(repairedAt: number): Promise<string> {
      const repairedFrom = load.outcomes.length;
      while (lost(from) === 0) await load.ended(1);
      const lostBefore = lost(from) - lost(repairedFrom);
      for (let seen = load.outcomes.length; !load.outcomes.slice(seen).some(isSuccess); ) await load.ended(1);
      const now = performance.now();
      // Some of them wait for connections that began before the repair.
      await load.settled();
      const last = load.outcomes.length;
      await load.ended(80);
      expect(statuses(load.outcomes.slice(last))).toEqual(['200']);
      const seconds = (since: number) => ((now - since) / 1_000).toFixed(2);
      return (
        `the first 200 came ${seconds(start)} s after it began and ${seconds(repairedAt)} s after its repair began. ` +
        `Requests lost: ${lostBefore} before the repair, ${lost(repairedFrom)} after it.`
      );
    },
  };
}
