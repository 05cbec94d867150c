import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { endOf } from '@memory-read/test-kit/start-process';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { spawnCommand, untilReady } from '../serving/start-serve.ts';

let primary: PostgresServer;
let standby: PostgresServer;

beforeAll(async () => {
  primary = await startPostgres();
  standby = await primary.startStandby();
});

afterAll(async () => {
  await standby.stop();
  await primary.stop();
});

test('a server of another cluster ends the start', async () => {
  const other = hostOf(inject('postgresUrl'));
  expect(await endOf(serve([hostOf(standby.url), other]))).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed to read from ${other}: it belongs to another cluster than --postgres. Check --postgres-reads.\n`,
  });
});

test('a user who may not read the state of replication ends the start', async () => {
  await createRole('ada');
  const host = hostOf(standby.url);
  expect(await endOf(serve([host], { user: 'ada' }))).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed to read from ${host}: the user may not read the state of replication. Run GRANT pg_read_all_stats TO ada on the primary.\n`,
  });
});

test('a right that a replica does not have yet delays only its use', async () => {
  await createRole('eve');
  await standby.query('SELECT pg_wal_replay_pause()');
  onTestFinished(() => void standby.query('SELECT pg_wal_replay_resume()'));
  await primary.query('GRANT pg_read_all_stats TO eve');
  const child = serve([hostOf(standby.url)], { user: 'eve' });
  const events = eventsOf(child);
  onTestFinished((await untilReady(child)).close);
  const states = () => events.filter(({ event }) => event === 'replica').map(({ state }) => state);
  await expect.poll(states).toEqual(['not-permitted']);
  await standby.query('SELECT pg_wal_replay_resume()');
  await expect.poll(() => states().at(-1), { timeout: 10_000 }).toBe('used');
});

test('only a host that accepts writes is the primary, and another one ends the start', async () => {
  const host = hostOf(standby.url);
  const several = `postgres://postgres@${host},${hostOf(primary.url)}/postgres`;
  const child = serve([host], { database: several });
  const events = eventsOf(child);
  onTestFinished((await untilReady(child)).close);
  await expect.poll(() => events).toContainEqual(expect.objectContaining({ event: 'replica', host, state: 'used' }));
  expect(events).not.toContainEqual(expect.objectContaining({ event: 'primary' }));
  const { code, stderr } = await endOf(serve([host], { database: standby.url }));
  expect(stderr).toMatch(/^Failed to use \S+: none of its hosts accepts writes\. Check that the primary server is /);
  expect(code).toBe(1);
});

test('SIGTERM ends the start while a replica does not respond', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const child = serve([`127.0.0.1:${Object(silent.address()).port}`, hostOf(standby.url)]);
  const end = endOf(child);
  await once(silent, 'connection');
  child.kill('SIGTERM');
  expect(await end).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('the log and the metrics name each host, and a replica that cannot be reached does not prevent the start', async () => {
  const hosts = ['127.0.0.1:1', hostOf(primary.url), hostOf(standby.url)];
  const child = serve(hosts, { args: ['--metrics-port', '0'] });
  const events = eventsOf(child);
  const { baseUrl, metricsUrl = '', close } = await untilReady(child);
  onTestFinished(close);
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  const notes = () => events.filter(({ event }) => event === 'replica');
  await expect.poll(notes).toHaveLength(3);
  expect(notes().sort((a, b) => hosts.indexOf(`${a.host}`) - hosts.indexOf(`${b.host}`))).toEqual([
    {
      ...{ time: expect.any(String), level: 'warn', event: 'replica', host: hosts[0], state: 'unreachable' },
      ...{ lagMs: null, message: expect.stringMatching(/^the connection was refused\. /) },
    },
    {
      ...{ time: expect.any(String), level: 'info', event: 'replica', host: hosts[1], state: 'no-replica' },
      ...{ lagMs: null, message: 'it accepts writes, so it is not a replica.' },
    },
    {
      time: expect.any(String),
      level: 'info',
      event: 'replica',
      host: hosts[2],
      state: 'used',
      lagMs: expect.any(Number),
    },
  ]);
  const samples = async (name: string) =>
    (await (await fetch(metricsUrl)).text()).split('\n').filter((line) => line.startsWith(name));
  expect(await samples('memory_read_postgres_replica_usable')).toEqual(
    hosts.map((host, index) => `memory_read_postgres_replica_usable{host="${host}"} ${index === 2 ? 1 : 0}`),
  );
  // The checks hold a connection to the primary, and one to each host that responds.
  await expect
    .poll(() => samples('memory_read_postgres_connections{state="active"}'))
    .toEqual(['memory_read_postgres_connections{state="active"} 3']);

  await standby.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'memory-read'`);
  await expect
    .poll(() => events.find(({ event }) => event === 'connection-lost'))
    .toMatchObject({
      message: expect.stringMatching(`^Lost an idle connection to ${hosts[2]}: `),
    });
});

test('SIGTERM ends serve while no server of PostgreSQL responds', async () => {
  const child = serve([hostOf(primary.url), hostOf(standby.url)]);
  child.stderr.resume();
  const { baseUrl, ended } = await untilReady(child);
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  onTestFinished(() => {
    child.kill('SIGKILL');
    standby.resume();
    primary.resume();
  });
  primary.pause();
  standby.pause();
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

/** Creates a role, and waits until the replica has it. */
async function createRole(name: string): Promise<void> {
  await primary.query(`CREATE ROLE ${name} LOGIN`);
  const roles = () => standby.query(`SELECT FROM pg_roles WHERE rolname = '${name}'`);
  await expect.poll(roles, { timeout: 10_000 }).toHaveLength(1);
}

/** Returns the lines of the log, to which further ones are added. */
function eventsOf({ stderr }: ChildProcessWithoutNullStreams): Record<string, unknown>[] {
  const events: Record<string, unknown>[] = [];
  createInterface({ input: stderr }).on('line', (line) => events.push(JSON.parse(line)));
  return events;
}

/** Starts `serve` with the primary and with these hosts to read from. */
function serve(hosts: readonly string[], { user = 'postgres', database = primary.url, args = [] as string[] } = {}) {
  const reads = `postgres://${user}@${hosts.join()}/postgres`;
  const env = {
    NO_COLOR: '1',
    NODE_OPTIONS: '',
    MEDIA_SECRETS: '[{"id":"a","secret":"thirty-two-bytes-that-none-guess"}]',
  };
  return spawnCommand(
    [
      'serve',
      '--port',
      '0',
      '--media-secrets',
      'env:MEDIA_SECRETS',
      '--postgres',
      database,
      '--postgres-reads',
      reads,
      ...args,
    ],
    { cwd: makeFolder(), env },
  );
}

function hostOf(url: string): string {
  return new URL(url).host;
}
