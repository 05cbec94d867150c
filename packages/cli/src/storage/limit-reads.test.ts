import { once } from 'node:events';
import type { PostgresPool } from '@memory-read/server/postgres';
import { Pool, type PoolConfig } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type MutePostgres, startMutePostgres } from '../testing/fake-postgres.ts';
import { limitReads } from './limit-reads.ts';

const readTimeoutMs = 100;
const timedOut = { code: '57014' };
const evicted = { message: 'Connection terminated unexpectedly' };
const fast = ["SELECT 'fast' WHERE true = $1", [true]] satisfies [string, unknown[]];
const isFast = (statement: string) => statement.includes('fast');

interface Reads {
  server: MutePostgres;
  pool: Pool;
  limited: PostgresPool;
  /** Sends a read on any connection, which the server gets before anything that is sent later. */
  read(name: string): Promise<unknown>;
}

async function openReads(config: PoolConfig = {}, timeoutMs = readTimeoutMs): Promise<Reads> {
  const server = await startMutePostgres();
  const pool = new Pool({ connectionString: server.href, query_timeout: 10_000, ...config });
  pool.on('error', () => {});
  onTestFinished(() => {
    for (const socket of server.sockets) socket.destroy();
    // Does not wait for connections that a failed test has not released.
    void pool.end();
  });
  const limited = limitReads(pool, timeoutMs);
  return { server, pool, limited, read: (name) => limited.query(`SELECT '${name}' WHERE true = $1`, [true]) };
}

/** Leaves this number of idle connections in the pool. */
async function openIdle({ server, pool, read }: Reads, count: number): Promise<void> {
  server.responds = isFast;
  await Promise.all(Array.from({ length: count }, () => read('fast')));
  expect([pool.totalCount, pool.idleCount]).toEqual([count, count]);
}

test('if no other connection received a byte since a read, its timeout destroys all, and the next reads succeed', async () => {
  const reads = await openReads();
  await openIdle(reads, 4);
  const [first, second] = [reads.read('slow'), reads.read('slow')];
  await expect(first).rejects.toMatchObject(timedOut);
  await expect(second).rejects.toMatchObject(evicted);
  await expect.poll(() => [reads.pool.totalCount, reads.server.sockets.size]).toEqual([0, 0]);
  await Promise.all([reads.read('fast'), reads.read('fast')]);
});

test('if another connection received a byte since a read, its timeout destroys only its own', async () => {
  const reads = await openReads();
  await openIdle(reads, 3);
  const opened = [...reads.server.sockets];
  const slow = reads.read('slow');
  await reads.read('fast');
  await expect(slow).rejects.toMatchObject(timedOut);
  await Promise.all([reads.read('fast'), reads.read('fast')]);
  await expect.poll(() => reads.server.sockets.size).toBe(2);
  expect(opened).toEqual(expect.arrayContaining([...reads.server.sockets]));
});

test('a connection that was opened since a read counts as one that received a byte', async () => {
  const reads = await openReads();
  await openIdle(reads, 1);
  const slow = reads.read('slow');
  const connection = await reads.limited.connect();
  await expect(slow).rejects.toMatchObject(timedOut);
  await connection.query(...fast);
  connection.release();
  await expect.poll(() => reads.server.sockets.size).toBe(1);
});

test('bytes from before a read do not count', async () => {
  const reads = await openReads();
  await openIdle(reads, 2);
  const connection = await reads.limited.connect();
  await reads.read('fast');
  await expect(reads.read('slow')).rejects.toMatchObject(timedOut);
  await expect(connection.query(...fast)).rejects.toMatchObject(evicted);
  connection.release();
  expect(reads.pool.totalCount).toBe(0);
});

test('a lent connection has the timeout too, and its later statements fail at once', async () => {
  const reads = await openReads();
  const connection = await reads.limited.connect();
  await expect(connection.query("SELECT 'slow'")).rejects.toMatchObject(timedOut);
  await expect(connection.query('ROLLBACK')).rejects.toThrow();
  connection.release(true);
  expect(reads.pool.totalCount).toBe(0);
});

test('does not limit a statement that is not a read', async () => {
  const reads = await openReads();
  reads.server.responds = isFast;
  const write = reads.limited.query("UPDATE memories SET name = 'slow' WHERE true = $1", [true]);
  await reads.read('fast');
  const slow = reads.read('slow');
  await reads.read('fast');
  await expect(slow).rejects.toMatchObject(timedOut);
  expect(await Promise.race([write, 'still waiting'])).toBe('still waiting');
  for (const socket of reads.server.sockets) socket.destroy();
  await expect(write).rejects.toThrow('Connection terminated unexpectedly');
});

test('a result that arrives while the process is suspended is in time', async () => {
  // A busy machine may take a while to deliver the read.
  const timeoutMs = 250;
  const reads = await openReads({}, timeoutMs);
  await openIdle(reads, 1);
  const [socket] = reads.server.sockets;
  if (!socket) throw new Error('There is no connection.');
  const asked = once(socket, 'data');
  const reading = reads.read('fast');
  await asked;
  // The response is in the socket, and the timer has expired.
  for (const end = performance.now() + timeoutMs; performance.now() < end; );
  await reading;
  expect(reads.pool.totalCount).toBe(1);
});

test('waiting for a connection and connecting share one time limit', async () => {
  const reads = await openReads({ max: 1, connectionTimeoutMillis: 150 });
  await openIdle(reads, 1);
  reads.server.acceptsUsers = false;
  const slow = reads.read('slow');
  const start = performance.now();
  const waiting = reads.read('fast');
  await Promise.all([
    expect(slow).rejects.toMatchObject(timedOut),
    expect(waiting).rejects.toThrow('timeout exceeded when trying to connect'),
  ]);
  // The wait alone took 100 ms, and connecting alone would take 150 ms more.
  expect(performance.now() - start).toBeGreaterThan(100);
});
