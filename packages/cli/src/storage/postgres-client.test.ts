import { once } from 'node:events';
import { Socket } from 'node:net';
import { Pool } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startFakePostgres, startSilentPostgres } from '../testing/fake-postgres.ts';
import { createPostgresClient } from './postgres-client.ts';
import type { PostgresHost } from './postgres-url.ts';

const gone = { port: 1 };

test('tries the hosts in order, and then the one that worked last first', async () => {
  const [second, third] = [await startFakePostgres(), await startFakePostgres()];
  const { connect } = openPool([gone, second, third]);
  expect(await connect()).toBe(second.port);
  const first = await startFakePostgres();
  const { connect: connectWithAll } = openPool([first, second]);
  expect([await connectWithAll(), await connectWithAll()]).toEqual([first.port, first.port]);
  expect([second.connections, third.connections]).toEqual([1, 0]);
});

test('skips a host that accepts no writes, and tries the one that does first next time', async () => {
  const [standby, primary] = [await startFakePostgres({ isReadOnly: true }), await startFakePostgres()];
  const { connect } = openPool([standby, primary], { mustBeWritable: true });
  expect([await connect(), await connect()]).toEqual([primary.port, primary.port]);
  expect(standby.connections).toBe(1);
  const any = openPool([standby, primary]);
  expect(await any.connect()).toBe(standby.port);
});

test('starts with the first host again after a connection was lost', async () => {
  const [first, second] = [await startFakePostgres({ isReadOnly: true }), await startFakePostgres()];
  const { pool, connect } = openPool([first, second], { mustBeWritable: true });
  expect(await connect()).toBe(second.port);
  first.isReadOnly = false;
  expect(await connect()).toBe(second.port);
  const lost = once(pool, 'error');
  await pool.query('SELECT');
  second.disconnect();
  await lost;
  expect(await connect()).toBe(first.port);
});

test('closes a connection whose write is rejected, and starts with the first host again', async () => {
  const [first, second] = [await startFakePostgres({ isReadOnly: true }), await startFakePostgres()];
  const { pool, connect } = openPool([first, second], { mustBeWritable: true });
  const client = await pool.connect();
  client.on('error', () => {});
  first.isReadOnly = false;
  second.isReadOnly = true;
  await expect(client.query('INSERT')).rejects.toMatchObject({ code: '25006' });
  await expect(client.query('ROLLBACK')).rejects.toThrow(/terminated|not queryable/);
  client.release();
  expect(await connect()).toBe(first.port);
});

test('all attempts share the time of one connection, so that a silent host leaves time for the next', async () => {
  const silent = await startSilentPostgres();
  const primary = await startFakePostgres();
  const { connect } = openPool([silent, primary], { connectionTimeoutMillis: 250 });
  expect(await connect()).toBe(primary.port);
  const alone = openPool([silent], { connectionTimeoutMillis: 100 });
  await expect(alone.connect()).rejects.toThrow(
    /^Failed to use ada@a,b: the server did not respond in time|connection timeout/,
  );
});

test.each([
  ['stops at a host that rejects the user', ['28P01', undefined], { code: '28P01' }],
  ['skips a host that is starting', ['57P03', undefined], undefined],
  ['skips a pooler without its server', ['08P01', undefined], undefined],
  ['reports a host that rejects the user rather than one that cannot be reached', [gone, '28P01'], { code: '28P01' }],
  [
    'reports a host without writes rather than one that cannot be reached',
    [gone, 'read-only'],
    { code: 'not_writable' },
  ],
  ['reports the first of several hosts that cannot be reached', [gone, gone], { code: 'ECONNREFUSED' }],
])('%s', async (_, hosts, error) => {
  const servers = hosts.map((host) => {
    if (typeof host === 'object') return host;
    if (host === 'read-only') return startFakePostgres({ isReadOnly: true });
    return startFakePostgres({ refusal: host === undefined ? undefined : { code: host } });
  });
  const { connect } = openPool(await Promise.all(servers), { mustBeWritable: true });
  if (error === undefined) await connect();
  else await expect(connect()).rejects.toMatchObject(error);
});

test.each([undefined, ''])('names the address that was tried if the URL has the host %j', async (host) => {
  vi.stubEnv('PGHOST', undefined);
  const { connect } = openPool([{ host, port: 1 }]);
  await expect(connect()).rejects.toMatchObject({
    code: 'unreachable',
    message:
      'Failed to use ada@a,b: the URL has no host, and localhost:1 refused the connection. Check that PostgreSQL is running there. To use a Unix socket, add its folder to the URL, for example ?host=/run/postgresql.',
    cause: { code: 'ECONNREFUSED' },
  });
  vi.stubEnv('PGHOST', '127.0.0.1');
  vi.stubEnv('PGPORT', '2');
  await expect(openPool([{ host, port: undefined }]).connect()).rejects.toThrow(/127\.0\.0\.1:2 refused/);
});

test('a socket of PGHOST that does not exist is not an address without a host', async () => {
  vi.stubEnv('PGHOST', '/gone');
  const { connect } = openPool([{ host: undefined, port: 1 }]);
  await expect(connect()).rejects.toMatchObject({ code: 'ENOENT', address: '/gone/.s.PGSQL.1' });
});

test('does not try the next host when the pool is about to end', async () => {
  const silent = await startSilentPostgres();
  const primary = await startFakePostgres();
  const sockets: { destroy(): void }[] = [];
  const ending = new AbortController();
  const { connect } = openPool([silent, primary], { signal: ending.signal, sockets });
  const connecting = connect();
  await silent.connected;
  ending.abort();
  for (const socket of sockets) socket.destroy();
  await expect(connecting).rejects.toThrow('Connection terminated');
  expect(primary.connections).toBe(0);
});

function openPool(
  hosts: readonly Partial<PostgresHost>[],
  {
    mustBeWritable = false,
    connectionTimeoutMillis = 60_000,
    signal = new AbortController().signal,
    sockets = [] as { destroy(): void }[],
  } = {},
) {
  const Client = createPostgresClient({
    name: 'ada@a,b',
    hosts: hosts.map((given) => ({ host: 'host' in given ? given.host : '127.0.0.1', port: given.port })),
    mustBeWritable,
    signal,
  });
  const stream = () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  };
  const login = { user: 'ada', password: 'hush' };
  const pool = new Pool({ ...login, Client, connectionTimeoutMillis, stream, idleTimeoutMillis: 0 });
  pool.on('error', vi.fn());
  onTestFinished(() => pool.end());
  /** Returns the port of a new connection. */
  const connect = async () => {
    const client = await pool.connect();
    client.release(true);
    return client.port;
  };
  return { pool, connect };
}
