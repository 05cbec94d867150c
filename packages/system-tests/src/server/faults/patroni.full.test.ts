import { tmpdir } from 'node:os';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { sampleRecords } from '@memory-read/test-kit/sample-memory';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { ServeProcess } from '../serving/start-serve.ts';
import { type Load, type Outcome, startLoad } from './load.ts';
import { assertTrue } from './outcomes.ts';
import { askReplica, fillPostgres, memoryCount, startReplica } from './postgres-service.ts';
import { type Member, type PatroniCluster, password, postgresProgram, startPatroni } from './start-patroni.ts';
import { startWriter } from './start-writer.ts';

const programs = ['patroni', 'etcd', postgresProgram];
const testHere = test.runIf(programs.every(isInstalled));
const parallel = 2;
// The command refuses a URL with a password among its arguments.
process.env.PGPASSWORD = password;

interface Scene {
  event: string;
  /** Whether a write is acknowledged only when a replica has it. */
  isSynchronous?: boolean;
  lose(primary: Member, writer: Load): Promise<void>;
  repair?(lost: Member): Promise<void>;
}

const scenes: Scene[] = [
  { event: 'Switchover', lose: (primary) => cluster.switchOver(primary) },
  { event: 'PostgreSQL crashes', lose: (primary) => primary.signal('KILL', 'postgres') },
  {
    event: 'Primary frozen',
    lose: (primary) => primary.signal('STOP'),
    repair: (lost) => lost.signal('CONT'),
  },
  { event: 'Machine lost', lose: loseWithUnsentWrites, repair: (lost) => lost.startAgain() },
  {
    event: 'Machine lost, asynchronous replication',
    isSynchronous: false,
    lose: loseWithUnsentWrites,
    repair: (lost) => lost.startAgain(),
  },
];

let cluster: PatroniCluster;
let key: string;
let serves: { name: string; serve: ServeProcess }[];

beforeAll(async () => {
  if (!programs.every(isInstalled)) return;
  const start = performance.now();
  cluster = await startPatroni();
  const primary = await cluster.primary();
  const primaryAfter = secondsSince(start);
  await cluster.complete();
  console.log(`Cluster: the primary came after ${primaryAfter}, two replicas after ${secondsSince(start)}.`);
  await query(primary, `CREATE ROLE memories LOGIN PASSWORD '${password}'`);
  await query(primary, 'GRANT pg_read_all_stats TO memories');
  await query(primary, 'CREATE DATABASE memories OWNER memories');
  key = await fillPostgres(urlOf([primary]), sampleRecords(memoryCount));
  await fillPostgres(urlOf([primary]), [], 'writer');
  const url = `${urlOf(cluster.members)}?target_session_attrs=read-write`;
  serves = [{ name: '--postgres alone', serve: await startReplica(url, tmpdir()) }];
  return async () => {
    await Promise.all(serves.map(({ serve }) => serve.close()));
    await cluster.stop();
  };
});

testHere.each(scenes)('$event under load: another primary, and no acknowledged write is lost', async (scene) => {
  const { event, isSynchronous = true, lose, repair } = scene;
  const primary = await cluster.complete();
  await cluster.configure(primary, { synchronous_mode: isSynchronous });
  await expect.poll(cluster.isSynchronous).toBe(isSynchronous);
  const writer = startWriter(
    cluster.members.map((member) => urlOf([member])),
    'writer',
  );
  const readers = serves.map(({ name, serve }) => ({ name, ...startReader(serve) }));
  await Promise.all([writer.ended(5), ...readers.map(({ load }) => load.ended(20))]);
  const lostAt = performance.now();
  await lose(primary, writer);
  const successor = await cluster.primary(primary);
  const replacedAt = performance.now();
  const report = [`${event}: another primary after ${secondsSince(lostAt)}.`];
  const firsts = readers.map(async ({ load }) => {
    await untilSuccess(load);
    return secondsSince(replacedAt);
  });
  const firstReads = await Promise.all(firsts);
  await repair?.(primary);
  await cluster.complete();
  report.push(`All three again after ${secondsSince(replacedAt)} more.`);
  await untilSuccess(writer);
  await Promise.all(readers.map(({ load }) => load.ended(20)));
  await Promise.all([writer.stop(), ...readers.map(({ load }) => load.stop())]);
  for (const [index, { name, load, slowest }] of readers.entries()) {
    const failed = load.outcomes.filter((outcome) => !isSuccess(outcome)).length;
    const all = `${failed} of ${load.outcomes.length} reads failed`;
    report.push(`${name}: ${all}, the first 200 ${firstReads[index]} after it, the slowest read ${slowest()}.`);
    for (const outcome of load.outcomes) assertTrue(outcome);
  }
  const acknowledged = writer.outcomes.flatMap((outcome) => (isSuccess(outcome) ? [outcome.body] : []));
  const stored = new Set(await storedIds(successor));
  const lost = acknowledged.filter((id) => !stored.has(id));
  report.push(`Writes: ${acknowledged.length} acknowledged, ${lost.length} of them lost.`);
  console.log(report.join(' '));
  if (isSynchronous) expect(lost).toEqual([]);
});

/** Freezes what sends the changes to the replicas before the machine is lost. */
async function loseWithUnsentWrites(primary: Member, writer: Load): Promise<void> {
  for (const { pid } of await query(primary, 'SELECT pid FROM pg_stat_replication')) process.kill(pid, 'SIGSTOP');
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  if (await cluster.isSynchronous()) while ((await query(primary, waiting)).length === 0);
  else await writer.ended(10);
  await primary.signal('KILL');
}

async function storedIds(member: Member): Promise<string[]> {
  return (await query(member, 'SELECT id FROM memories', 'memories')).map(({ id }) => id);
}

/** Runs a statement as the superuser of the cluster. */
// biome-ignore lint/suspicious/noExplicitAny: the statements have different columns.
async function query({ host }: Member, sql: string, database = 'postgres'): Promise<any[]> {
  const client = new Client({ connectionString: `postgres://postgres@${host}/${database}` });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(members: readonly Member[]): string {
  return `postgres://memories@${members.map(({ host }) => host).join()}/memories`;
}

function startReader(serve: ServeProcess): { load: Load; slowest(): string } {
  let slowestMs = 0;
  let turn = 0;
  const load = startLoad(parallel, async () => {
    const start = performance.now();
    turn += 1;
    const response = await askReplica(serve, key, turn % 2 === 0 ? '/v1/memories' : '/v1/memories/mem_000001');
    const body = await response.text();
    slowestMs = Math.max(slowestMs, performance.now() - start);
    return new Response(body, response);
  });
  return { load, slowest: () => seconds(slowestMs) };
}

async function untilSuccess(load: Load): Promise<void> {
  for (let seen = load.outcomes.length; !load.outcomes.slice(seen).some(isSuccess); ) await load.ended(1);
}

function isSuccess(outcome: Outcome): outcome is Exclude<Outcome, string> {
  return typeof outcome === 'object' && outcome.status === 200;
}

const secondsSince = (start: number) => seconds(performance.now() - start);

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
