import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Row } from '../postgres-query.ts';
import { driverError, type FakeServer, fakeServer, hold } from './fake-servers.test-support.ts';
import { type ReadOptions, routeReads } from './route-reads.ts';

/** A message of `pg-pool`. */
const busyPool = 'timeout exceeded when trying to connect';
const noRows = async (): Promise<Row[]> => [];
const failWith = (error: unknown) => () => Promise.reject(error);

type Servers = [FakeServer, FakeServer, FakeServer, FakeServer];

/** Two replicas, and a third one that is not usable. */
function setUp({ fallbackReads = 2 } = {}) {
  const [primary, first, second, third] = ['primary', 'first', 'second', 'third'].map(fakeServer) as Servers;
  third.usable = false;
  const { read, counts } = routeReads({ primary, replicas: [first, second, third] }, { fallbackReads });
  const readName = async (options?: ReadOptions) => (await read('SELECT', [1], options))[0]?.name;
  return { primary, first, second, third, read, readName, counts };
}

test('passes the statement and its values on, and returns the rows', async () => {
  const { first, read } = setUp();
  first.answer = async (...statement) => [{ statement }];
  expect(await read('SELECT $1', ['x'])).toEqual([{ statement: ['SELECT $1', ['x']] }]);
});

test('reads from the replica with the fewest statements in flight, and from equal ones in turn', async () => {
  const { primary, first, second, readName, counts } = setUp();
  expect([await readName(), await readName(), await readName()]).toEqual(['first', 'second', 'first']);
  first.inFlight = 1;
  expect([await readName(), await readName()]).toEqual(['second', 'second']);
  first.inFlight = 0;
  second.inFlight = 1;
  expect([await readName(), await readName()]).toEqual(['first', 'first']);
  second.usable = false;
  first.inFlight = 9;
  expect(await readName()).toBe('first');
  expect(primary.received).toBe(0);
  const before = counts();
  expect(before).toEqual({ replica: 8, fallback: 0, recheck: 0 });
  await readName();
  expect([before.replica, counts().replica]).toEqual([8, 9]);
});

test('a series stays with its replica while that is usable, also if another one has fewer in flight', async () => {
  const { first, second, readName } = setUp();
  const series = {};
  expect(await readName({ series })).toBe('first');
  first.inFlight = 5;
  expect([await readName({ series }), await readName({ series })]).toEqual(['first', 'first']);
  first.usable = false;
  expect(await readName({ series })).toBe('second');
  first.usable = true;
  expect(await readName({ series })).toBe('second');
  second.usable = false;
  first.usable = false;
  expect(await readName({ series })).toBe('primary');
  second.usable = true;
  expect(await readName({ series })).toBe('second');
});

test('a series whose replica fails continues with the other one', async () => {
  const { first, readName } = setUp();
  const series = {};
  expect(await readName({ series })).toBe('first');
  first.answer = failWith(driverError('40001'));
  expect([await readName({ series }), await readName({ series })]).toEqual(['second', 'second']);
  expect(first.received).toBe(2);
});

test.each([
  ['40001', 'keeps'],
  ['40P01', 'keeps'],
  ['42P01', 'keeps'],
  ['42703', 'keeps'],
  ['XX001', 'keeps'],
  ['53300', 'keeps'],
  ['58030', 'keeps'],
  ['EMFILE', 'keeps'],
  ['08006', 'gives up'],
  ['57P01', 'gives up'],
  ['57014', 'gives up'],
  ['ECONNRESET', 'gives up'],
  ['ETIMEDOUT', 'gives up'],
])('after %s, reads from the other replica, and %s the one that failed', async (code, outcome) => {
  const { first, primary, readName, counts } = setUp();
  const error = driverError(code);
  first.answer = failWith(error);
  expect(await readName()).toBe('second');
  expect(first.givenUp).toEqual(outcome === 'keeps' ? [] : [error]);
  expect(primary.received).toBe(0);
  expect(counts()).toEqual({ replica: 1, fallback: 0, recheck: 0 });
});

test('a read that gets no connection of a busy pool is read from the other replica, and keeps the first one', async () => {
  const { first, readName } = setUp();
  first.answer = failWith(new Error(busyPool));
  expect(await readName()).toBe('second');
  expect(first.givenUp).toEqual([]);
  first.answer = failWith(new Error('Connection terminated due to connection timeout'));
  expect(await readName()).toBe('second');
  expect(first.givenUp).toHaveLength(1);
});

test('a read that failed on two replicas is read from the primary, not from a third replica', async () => {
  const { primary, first, second, third, readName, counts } = setUp();
  third.usable = true;
  for (const server of [first, second, third]) server.answer = failWith(driverError('40001'));
  expect(await readName()).toBe('primary');
  expect([first, second, third, primary].map(({ received }) => received)).toEqual([1, 1, 0, 1]);
  expect(counts()).toEqual({ replica: 0, fallback: 1, recheck: 0 });
});

test('rejects with the error of the primary, which is read once', async () => {
  const { primary, first, second, readName, counts } = setUp();
  const error = driverError('57P01');
  primary.answer = failWith(error);
  first.answer = failWith(driverError('40001'));
  second.usable = false;
  await expect(readName()).rejects.toBe(error);
  expect(primary.received).toBe(1);
  expect(primary.givenUp).toEqual([]);
  expect(counts()).toEqual({ replica: 0, fallback: 0, recheck: 0 });
});

test('a read that fails on the primary is read from a replica that has become usable meanwhile', async () => {
  const { primary, first, second, readName, read, counts } = setUp();
  first.usable = false;
  second.usable = false;
  primary.answer = async () => {
    first.usable = true;
    throw driverError('ETIMEDOUT');
  };
  expect(await readName()).toBe('first');
  expect(counts()).toEqual({ replica: 1, fallback: 0, recheck: 0 });
  first.usable = false;
  first.answer = noRows;
  expect(await read('SELECT')).toEqual([]);
  // The recheck would be a second attempt of the primary.
  expect(primary.received).toBe(2);
});

test('the primary is read only once, and its error is the one that the caller gets', async () => {
  const { primary, first, second, readName } = setUp();
  const error = driverError('ETIMEDOUT');
  first.usable = false;
  second.usable = false;
  first.answer = failWith(driverError('57P01'));
  primary.answer = async () => {
    first.usable = true;
    throw error;
  };
  await expect(readName()).rejects.toBe(error);
  expect([primary.received, first.received]).toEqual([1, 1]);
});

test('a final error of the primary is not read again', async () => {
  const { primary, first, second, readName } = setUp();
  const error = driverError('22021');
  first.usable = false;
  second.usable = false;
  primary.answer = async () => {
    first.usable = true;
    throw error;
  };
  await expect(readName()).rejects.toBe(error);
  expect(first.received).toBe(0);
});

test.each([
  driverError('22021'),
  driverError('23505'),
  new TypeError('not a function'),
  driverError('ERR_INVALID_ARG_TYPE'),
])('%o is final', async (error) => {
  const { primary, first, second, readName } = setUp();
  first.answer = failWith(error);
  await expect(readName()).rejects.toBe(error);
  expect([first.givenUp.length, second.received, primary.received]).toEqual([0, 0, 0]);
});

test('an aborted read is not repeated, but the replica that failed is not used any more', async () => {
  const { primary, first, second, readName } = setUp();
  const leaving = new AbortController();
  first.answer = async () => {
    leaving.abort();
    throw driverError('57P01');
  };
  await expect(readName({ signal: leaving.signal })).rejects.toBe(leaving.signal.reason);
  expect([first.givenUp.length, second.received, primary.received]).toEqual([1, 0, 0]);
  await expect(readName({ signal: leaving.signal })).rejects.toBe(leaving.signal.reason);
  expect([first.received, second.received, primary.received]).toEqual([1, 0, 0]);
});

test('reads from the primary what a replica does not have', async () => {
  const { primary, first, second, readName, read, counts } = setUp();
  first.answer = noRows;
  second.answer = noRows;
  expect(await readName()).toBe('primary');
  expect(second.received).toBe(0);
  primary.answer = noRows;
  expect(await read('SELECT')).toEqual([]);
  expect(counts()).toEqual({ replica: 0, fallback: 0, recheck: 2 });
});

test('a read returns no rows if a replica has none and the primary cannot be read', async () => {
  const { primary, first, second, read, counts } = setUp();
  first.answer = noRows;
  second.answer = noRows;
  primary.answer = failWith(driverError('22021'));
  expect(await read('SELECT')).toEqual([]);
  expect(primary.received).toBe(1);
  primary.isReachable = false;
  expect(await read('SELECT')).toEqual([]);
  expect(primary.received).toBe(1);
  expect(counts()).toEqual({ replica: 2, fallback: 0, recheck: 0 });
});

test('an aborted read is not read again from the primary', async () => {
  const { primary, first, readName } = setUp();
  const leaving = new AbortController();
  first.answer = async () => {
    leaving.abort();
    return [];
  };
  expect(await readName({ signal: leaving.signal })).toBeUndefined();
  expect(primary.received).toBe(0);
});

test('a flood of unknown keys uses no more than the fallback connections', async () => {
  const { primary, first, second, read, counts } = setUp({ fallbackReads: 2 });
  first.answer = noRows;
  second.answer = noRows;
  const held = hold(primary);
  const reads = Array.from({ length: 50 }, () => read('SELECT'));
  await setImmediate();
  expect(primary.received).toBe(2);
  for (const each of held) each.resolve([]);
  expect((await Promise.all(reads)).flat()).toEqual([]);
  expect(primary.received).toBe(2);
  expect(counts()).toEqual({ replica: 48, fallback: 0, recheck: 2 });
  primary.answer = noRows;
  await read('SELECT');
  expect(primary.received).toBe(3);
});

test('with 0 fallback connections, nothing is read again from the primary', async () => {
  const { primary, first, readName } = setUp({ fallbackReads: 0 });
  first.answer = noRows;
  expect(await readName()).toBeUndefined();
  expect(primary.received).toBe(0);
});

test('without a usable replica, the fallback connections serve the reads first come first served', async () => {
  const { primary, first, second, read, counts } = setUp({ fallbackReads: 2 });
  first.usable = false;
  second.usable = false;
  const held = hold(primary);
  const order: number[] = [];
  const reads = Array.from({ length: 5 }, (_, index) =>
    read('SELECT').then(
      () => order.push(index),
      () => order.push(-index),
    ),
  );
  await setImmediate();
  expect(held).toHaveLength(2);
  for (const [index, rows] of [[], [], [], [], []].entries()) {
    if (index === 1) held[index]?.reject(driverError('08006'));
    else held[index]?.resolve(rows);
    await setImmediate();
    expect(held).toHaveLength(Math.min(5, index + 3));
  }
  await Promise.all(reads);
  expect(order).toEqual([0, -1, 2, 3, 4]);
  expect(counts()).toEqual({ replica: 0, fallback: 4, recheck: 0 });
});

test('reads that wait use a replica as soon as a connection is free and the replica is usable', async () => {
  const { primary, first, second, readName } = setUp({ fallbackReads: 1 });
  first.usable = false;
  second.usable = false;
  const held = hold(primary);
  const reads = Array.from({ length: 4 }, () => readName());
  await setImmediate();
  first.usable = true;
  held[0]?.resolve([{ name: 'primary' }]);
  expect(await Promise.all(reads)).toEqual(['primary', 'first', 'first', 'first']);
  expect(primary.received).toBe(1);
});

test('a read that waits for 5 s for the primary fails', async () => {
  vi.useFakeTimers();
  const { primary, first, second, readName } = setUp({ fallbackReads: 1 });
  const cause = driverError('42P01');
  first.answer = failWith(cause);
  second.usable = false;
  const held = hold(primary);
  const inFlight = readName();
  const waiting = readName();
  const late = vi.fn();
  waiting.catch(late);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(late).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await expect(waiting).rejects.toMatchObject({
    ...{ name: 'PostgresStoreError', code: 'unreachable', cause },
    message:
      'Failed to read from PostgreSQL: no replica responded, and the primary was busy with 1 other read for 5 s. Check the replicas.',
  });
  held[0]?.resolve([{ name: 'primary' }]);
  expect(await inFlight).toBe('primary');
  expect(vi.getTimerCount()).toBe(0);
  primary.answer = async () => [{ name: 'primary' }];
  expect(await readName()).toBe('primary');
});

test('a read that has waited for 5 s uses a replica if that is usable by then', async () => {
  vi.useFakeTimers();
  const { primary, first, second, readName } = setUp({ fallbackReads: 1 });
  first.usable = false;
  second.usable = false;
  const held = hold(primary);
  const reads = [readName(), readName()];
  await vi.advanceTimersByTimeAsync(3_000);
  second.usable = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await reads[1]).toBe('second');
  held[0]?.resolve([{ name: 'primary' }]);
  expect(await reads[0]).toBe('primary');
});

test('a primary that is a replica is not read', async () => {
  const { primary, first, second, readName } = setUp({ fallbackReads: 1 });
  first.usable = false;
  second.usable = false;
  const held = hold(primary);
  const reads = [readName(), readName()];
  await setImmediate();
  primary.isReplica = true;
  held[0]?.resolve([{ name: 'primary' }]);
  expect(await reads[0]).toBe('primary');
  const refusal = {
    ...{ name: 'PostgresStoreError', code: 'unreachable' },
    message:
      'Failed to read from PostgreSQL: no replica responded, and the server that should be the primary is a replica. Check the replicas.',
  };
  await expect(reads[1]).rejects.toMatchObject(refusal);
  await expect(readName()).rejects.toMatchObject(refusal);
  expect(primary.received).toBe(1);
});

test('with 0 fallback connections, a read without a usable replica fails at once', async () => {
  const { primary, first, second, readName } = setUp({ fallbackReads: 0 });
  first.usable = false;
  second.usable = false;
  await expect(readName()).rejects.toMatchObject({
    ...{ name: 'PostgresStoreError', code: 'unreachable' },
    message:
      'Failed to read from PostgreSQL: no replica responded, and reads may not use the primary. Check the replicas.',
  });
  expect(primary.received).toBe(0);
});

test('a read that is aborted while it waits leaves the queue, its signal and its timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { primary, first, second, readName } = setUp({ fallbackReads: 1 });
  first.usable = false;
  second.usable = false;
  const held = hold(primary);
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const removed = vi.spyOn(signal, 'removeEventListener');
  const reads = [readName({ signal }), readName({ signal: leaving.signal }), readName({ signal })];
  await setImmediate();
  leaving.abort();
  await expect(reads[1]).rejects.toBe(leaving.signal.reason);
  held[0]?.resolve([{ name: 1 }]);
  await setImmediate();
  held[1]?.resolve([{ name: 2 }]);
  expect(await Promise.all([reads[0], reads[2]])).toEqual([1, 2]);
  expect(held).toHaveLength(2);
  expect(removed).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('a read that is aborted just as it gets a connection gives it back', async () => {
  const { primary, first, second, readName } = setUp({ fallbackReads: 1 });
  first.usable = false;
  second.usable = false;
  const held = hold(primary);
  const leaving = new AbortController();
  const left = vi.spyOn(leaving.signal, 'removeEventListener');
  const reads = [readName(), readName({ signal: leaving.signal }), readName()];
  await setImmediate();
  held[0]?.resolve([{ name: 1 }]);
  while (left.mock.calls.length === 0) await undefined;
  leaving.abort();
  await expect(reads[1]).rejects.toBe(leaving.signal.reason);
  await setImmediate();
  held[1]?.resolve([{ name: 2 }]);
  expect(await reads[2]).toBe(2);
});
