import { tmpdir } from 'node:os';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { queryOnce } from '@memory-read/test-kit/postgres/start-postgres';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ServeProcess } from '../serving/start-serve.ts';
import { type Load, type Outcome, startLoad } from './load.ts';
import { assertTrue } from './outcomes.ts';
import { fillPostgres, memoryCount, requestWithKey, servePostgres } from './postgres-service.ts';
import { type Member, type PatroniCluster, password, postgresProgram, startPatroni } from './start-patroni.ts';
import { startWriter } from './start-writer.ts';

const hasPrograms = ['patroni', 'etcd', postgresProgram].map(isInstalled).every(Boolean);
/** Requests in flight for each `serve`. */
const parallel = 2;
// The command refuses a URL with a password among its arguments.
process.env.PGPASSWORD = password;

interface Scene {
  event: string;
  /** Whether a write is acknowledged only when a replica has it. Default: true. */
  isSynchronous?: boolean;
  lose(primary: Member, writer: Load): Promise<void>;
  repair?(lost: Member): Promise<void>;
}

const scenes: Scene[] = [
  { event: 'Switchover', lose: (primary) => cluster.switchOver(primary) },
  {
    event: 'PostgreSQL crashes',
    lose: async (primary, writer) => {
      await holdWritesBack(primary, writer);
      await primary.signal('KILL', 'postgres');
    },
  },
  {
    event: 'Machine frozen',
    lose: (primary) => primary.signal('STOP'),
    // As its watchdog does: if it continued, it could take the role of the primary back.
    async repair(lost) {
      await lost.signal('KILL');
      await lost.startAgain();
    },
  },
  {
    event: 'Machine lost, asynchronous replication',
    isSynchronous: false,
    lose: async (primary, writer) => {
      await holdWritesBack(primary, writer);
      await primary.signal('KILL');
    },
    repair: (lost) => lost.startAgain(),
  },
];

let cluster: PatroniCluster;
let key: string;
let serves: { option: '--postgres' | '--postgres-reads'; serve: ServeProcess }[];

beforeAll(async () => {
  if (!hasPrograms) return;
  const start = performance.now();
  cluster = await startPatroni();
  const primary = await cluster.primary();
  const primaryAfter = secondsSince(start);
  await cluster.complete();
  console.log(`Cluster: the primary is there after ${primaryAfter}, both replicas after ${secondsSince(start)}.`);
  await query(primary, `CREATE ROLE memories LOGIN PASSWORD '${password}'`);
  await query(primary, 'GRANT pg_read_all_stats TO memories');
  await query(primary, 'CREATE DATABASE memories OWNER memories');
  key = await fillPostgres(urlOf([primary]), sampleRecords(memoryCount));
  await fillPostgres(urlOf([primary]), [], 'writer');
  // A server that lacks the role or its right ends the command when it starts.
  for (const member of cluster.members)
    await vi.waitFor(async () => expect(await storedIds(member)).toHaveLength(memoryCount));
  const url = `${urlOf(cluster.members)}?target_session_attrs=read-write`;
  serves = [
    { option: '--postgres', serve: await servePostgres(url, tmpdir()) },
    {
      option: '--postgres-reads',
      serve: await servePostgres(url, tmpdir(), ['--postgres-reads', urlOf(cluster.members)]),
    },
  ];
  return async () => {
    await Promise.all(serves.map(({ serve }) => serve.close()));
    await cluster.stop();
  };
});

test.runIf(hasPrograms).each(scenes)(
  '$event under load: with --postgres-reads no read fails, and no write that waits for a replica is lost',
  async ({ event, isSynchronous = true, lose, repair }) => {
    const primary = await cluster.complete();
    await cluster.configure(primary, { synchronous_mode: isSynchronous });
    await expect.poll(cluster.isSynchronous).toBe(isSynchronous);
    const writer = startWriter(
      cluster.members.map((member) => urlOf([member])),
      'writer',
    );
    const readers = serves.map(({ option, serve }) => ({ option, ...startReader(serve) }));
    const loads = [writer, ...readers.map(({ load }) => load)];
    onTestFinished(async () => void (await Promise.all(loads.map((load) => load.stop()))));
    await Promise.all(loads.map((load) => load.ended(20)));

    const lostAt = performance.now();
    await lose(primary, writer);
    const successor = await cluster.primary(primary);
    const replacedAt = performance.now();
    const replacedAfter = secondsSince(lostAt);
    const firstReads = await Promise.all(readers.map(({ load }) => secondsUntilSuccess(load, replacedAt)));
    await repair?.(primary);
    await cluster.complete();
    const completeAfter = secondsSince(replacedAt);
    await Promise.all(loads.map((load) => secondsUntilSuccess(load)));
    await Promise.all(loads.map((load) => load.stop()));

    const reads = readers.map(({ option, load, slowest }, index) => {
      const times = `first 200 ${firstReads[index]} after the new primary, slowest ${slowest()}`;
      return `${failures(load).length} of ${load.outcomes.length} with ${option} (${times})`;
    });
    const acknowledged = writer.outcomes.filter(isSuccess).map(({ body }) => body);
    const stored = new Set(await storedIds(successor));
    const lost = acknowledged.filter((id) => !stored.has(id));
    console.log(
      `${event}: new primary after ${replacedAfter}, both replicas ${completeAfter} later. ` +
        `Failed reads: ${reads.join(', ')}. Writes: ${acknowledged.length} acknowledged, ${lost.length} of them lost.`,
    );
    for (const { option, load } of readers) {
      for (const outcome of load.outcomes) assertTrue(outcome);
      if (option === '--postgres-reads') expect(failures(load)).toEqual([]);
    }
    if (isSynchronous) expect(lost).toEqual([]);
  },
);

test.runIf(hasPrograms)('after all three machines were lost and are back, both read, without a restart', async () => {
  await Promise.all(cluster.members.map((member) => member.signal('KILL')));
  const start = performance.now();
  await Promise.all(cluster.members.map((member) => member.startAgain()));
  await cluster.complete();
  console.log(`All machines lost: both replicas are there ${secondsSince(start)} after their start.`);
  for (const { serve } of serves) {
    await expect.poll(async () => (await requestWithKey(serve, key, '/readyz')).status).toBe(200);
    expect((await requestWithKey(serve, key, '/v1/memories')).status).toBe(200);
    expect(serve.child.exitCode).toBeNull();
  }
});

/** Freezes the processes that send changes to the replicas, and waits for writes that are not sent. */
async function holdWritesBack(primary: Member, writer: Load): Promise<void> {
  const senders = await query(primary, 'SELECT pid FROM pg_stat_replication');
  for (const { pid } of senders) process.kill(Number(pid), 'SIGSTOP');
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  if (await cluster.isSynchronous()) while ((await query(primary, waiting)).length === 0);
  else await writer.ended(10);
}

async function storedIds(member: Member): Promise<string[]> {
  return (await queryOnce(urlOf([member]), 'SELECT id FROM memories')).map(({ id }) => String(id));
}

/** Runs a statement as the superuser of the cluster. */
function query({ host }: Member, sql: string): ReturnType<typeof queryOnce> {
  return queryOnce(`postgres://postgres@${host}/postgres`, sql);
}

function urlOf(members: readonly Member[]): string {
  return `postgres://memories@${members.map(({ host }) => host).join()}/memories`;
}

/** Reads lists and a memory in turn. */
function startReader(serve: ServeProcess): { load: Load; slowest(): string } {
  let slowestMs = 0;
  let turn = 0;
  const load = startLoad(parallel, async () => {
    const start = performance.now();
    turn += 1;
    const response = await requestWithKey(serve, key, turn % 2 === 0 ? '/v1/memories' : '/v1/memories/mem_000001');
    const body = await response.text();
    slowestMs = Math.max(slowestMs, performance.now() - start);
    return new Response(body, response);
  });
  return { load, slowest: () => seconds(slowestMs) };
}

/** Waits for a success, and returns the time since the start. */
async function secondsUntilSuccess(load: Load, start = performance.now()): Promise<string> {
  for (let seen = load.outcomes.length; !load.outcomes.slice(seen).some(isSuccess); ) await load.ended(1);
  return secondsSince(start);
}

const isSuccess = (outcome: Outcome): outcome is Exclude<Outcome, string> =>
  typeof outcome === 'object' && outcome.status === 200;

const failures = ({ outcomes }: Load) => outcomes.filter((outcome) => !isSuccess(outcome));

const secondsSince = (start: number) => seconds(performance.now() - start);

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
