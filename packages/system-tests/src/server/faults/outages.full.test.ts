import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { MemoryClient } from '@memory-read/client';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { Client } from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { spawnCommand } from '../serving/start-serve.ts';
import { type Load, startLoad } from './load.ts';
import { assertTrue, statuses } from './outcomes.ts';
import { askReplica, fillPostgres, memoryCount, startReplica } from './postgres-service.ts';
import { missingPgBouncer, startPgBouncer } from './start-pgbouncer.ts';
import { startTcpProxy, throughProxy } from './start-tcp-proxy.ts';

const readers = 8;
const missing = missingPgBouncer();
if (missing !== undefined) console.log(`The tests of PgBouncer are left out: ${missing}.`);

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
  return postgres.stop;
});

test('a network that becomes silent under load: seconds without a response, and no restart', async () => {
  const key = await fillPostgres(postgres.url, sampleRecords(memoryCount));
  const proxy = await startTcpProxy(Number(new URL(postgres.url).port));
  onTestFinished(() => proxy.close());
  const server = await startReplica(throughProxy(postgres.url, proxy), tmpdir());
  onTestFinished(() => server.close());
  const load = startLoad(readers, () => askReplica(server, key, '/v1/memories/mem_000001'));
  await load.ended(80);

  const short = watchOutage(load);
  proxy.swallow();
  proxy.forward();
  await short.ended(performance.now());
  console.log(`Silent network, connections lost at once: ${short.figures()}`);

  const long = watchOutage(load);
  proxy.swallow();
  await load.ended(readers);
  // The worst moment for the end is while the next requests wait for connections that began before it.
  await expect.poll(() => proxy.open()).toBe(readers);
  proxy.forward();
  await long.ended(performance.now());
  console.log(`Silent network, also while new connections begin: ${long.figures()}`);

  await load.stop();
  expect(statuses(load.outcomes)).toEqual(['200', '500']);
  for (const outcome of load.outcomes) assertTrue(outcome);
  expect(server.child.exitCode).toBeNull();
});

test.skipIf(missing !== undefined)(
  'PgBouncer in transaction mode: imports, keys and reads, and a crash of it',
  async () => {
    const serverConnections = 2;
    const bouncer = await startPgBouncer(postgres.url, serverConnections);
    onTestFinished(() => bouncer.close());
    const lines = Array.from(sampleRecords(memoryCount), (record) => JSON.stringify(record)).join('\n');
    expect(await run(['import', '-', '--account', 'ada', '--postgres', bouncer.url], lines)).toMatchObject({
      memories: memoryCount,
    });
    const { apiKey } = await run(['keys', 'create', '--account', 'ada', '--postgres', bouncer.url]);
    const server = await startReplica(bouncer.url, tmpdir());
    onTestFinished(() => server.close());
    const client = new MemoryClient({ baseUrl: server.baseUrl, apiKey });
    expect(await client.listMemories()).toHaveLength(memoryCount);

    const load = startLoad(readers, () => askReplica(server, apiKey, '/v1/memories/mem_000001'));
    await load.ended(400);
    expect(statuses(load.outcomes)).toEqual(['200']);
    expect(await countConnections()).toBeLessThanOrEqual(serverConnections);

    const outage = watchOutage(load);
    await bouncer.crash();
    await load.ended(readers);
    await bouncer.startAgain();
    await outage.ended(performance.now());
    await load.stop();
    console.log(`PgBouncer restarted: ${outage.figures()}`);
    expect(statuses(load.outcomes)).toEqual(['200', '500']);
    for (const outcome of load.outcomes) assertTrue(outcome);
    expect(server.child.exitCode).toBeNull();
  },
);

interface Outage {
  /** Resolves when the load has only successes again. */
  ended(repairedAt: number): Promise<void>;
  figures(): string;
}

/** Begins with the requests that are in flight. */
function watchOutage(load: Load): Outage {
  const [from, start] = [load.outcomes.length, performance.now()];
  const isSuccess = (outcome: unknown) => (outcome as { status?: unknown }).status === 200;
  const lost = (begin: number) => load.outcomes.slice(begin).filter((outcome) => !isSuccess(outcome)).length;
  let figures = '';
  return {
    async ended(repairedAt) {
      const repairedFrom = load.outcomes.length;
      while (lost(from) === 0) await load.ended(1);
      const failedBefore = lost(from) - lost(repairedFrom);
      for (let seen = load.outcomes.length; !load.outcomes.slice(seen).some(isSuccess); ) await load.ended(1);
      const now = performance.now();
      await load.ended(2 * readers);
      const last = load.outcomes.length;
      await load.ended(80);
      expect(statuses(load.outcomes.slice(last))).toEqual(['200']);
      const seconds = (since: number) => ((now - since) / 1_000).toFixed(2);
      figures =
        `the first 200 came ${seconds(start)} s after it began and ${seconds(repairedAt)} s after it ended. ` +
        `Requests lost: ${failedBefore} before its end, ${lost(repairedFrom)} after it.`;
    },
    figures: () => figures,
  };
}

async function countConnections(): Promise<number> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name = 'memory-read'`,
  );
  await client.end();
  return Number(rows[0]?.count);
}

async function run(args: readonly string[], input = '') {
  const child = spawnCommand(args, { env: { NO_COLOR: '1' } });
  child.stderr.pipe(process.stderr);
  child.stdin.end(input);
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(code).toBe(0);
  return JSON.parse(stdout);
}
