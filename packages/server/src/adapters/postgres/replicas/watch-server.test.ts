import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { replicationStatements } from '../statements.ts';
import { advance, endWatch, type FakePostgres, fakePostgres, fakeTime } from './fake-postgres.test-support.ts';
import { type WatchedServer, watchServer } from './watch-server.ts';

let server: FakePostgres;
let watched: WatchedServer | undefined;
let results: unknown[];

beforeEach(() => {
  fakeTime();
  server = fakePostgres();
  results = [];
});

afterEach(() => endWatch(watched));

test('checks on one connection, and pauses after each check', async () => {
  server.delay = 30;
  watch();
  await advance(60 + 250);
  expect(results).toEqual(['lsn 1']);
  await advance(30);
  expect(results).toEqual(['lsn 1', 'lsn 2']);
  await advance(280);
  expect(results).toHaveLength(3);
  expect(server.connections).toHaveLength(1);
});

test('a check that takes 1 s fails, and its connection is destroyed', async () => {
  watch();
  await advance(0);
  server.isFrozen = true;
  await advance(250 + 999);
  expect(results).toEqual(['lsn 1']);
  await advance(1);
  expect(results).toEqual(['lsn 1', 'ETIMEDOUT']);
  expect(server.connections.map(({ released }) => released)).toEqual([true]);
  server.isFrozen = false;
  await advance(250);
  expect(results).toHaveLength(3);
  expect(server.connections.map(({ released }) => released)).toEqual([true, undefined]);
});

test('the wait for a connection counts, and only one is requested at a time', async () => {
  const connect = vi.spyOn(server.pool, 'connect');
  server.delay = 3_100;
  watch();
  await advance(1_000);
  expect(results).toEqual(['ETIMEDOUT']);
  server.delay = 0;
  await advance(2_100);
  expect(results).toEqual(['ETIMEDOUT', 'ETIMEDOUT', 'lsn 1']);
  expect(connect).toHaveBeenCalledTimes(1);
});

test('a failed check rejects the statements in flight, and handles their own errors', async () => {
  watch();
  await advance(0);
  let fail: (error: Error) => void = () => {};
  server.answer = () => new Promise((_resolve, reject) => (fail = reject));
  const reads = [watched?.query('ONE'), watched?.query('TWO')].map((read) => read?.catch((error) => error));
  expect(watched?.inFlight).toBe(2);
  await advance(0);
  server.isFrozen = true;
  await advance(1_250);
  expect(await Promise.all(reads)).toEqual([
    expect.objectContaining({ code: 'ETIMEDOUT' }),
    expect.objectContaining({ code: 'ETIMEDOUT' }),
  ]);
  expect(watched?.inFlight).toBe(0);
  // Otherwise they would fill the pool until the system notices that the other side is gone.
  expect(server.connections.map(({ released }) => released)).toEqual([true, true, true]);
  fail(new Error('The connection was destroyed'));
  await advance(0);
});

test('a statement that got no connection before a check failed is not sent, and its connection stays', async () => {
  watch();
  await advance(0);
  let lend: () => void = () => {};
  const { connect } = server.pool;
  const lent = new Promise<void>((resolve) => (lend = resolve));
  server.pool.connect = () => lent.then(connect);
  const sent = vi.spyOn(server, 'answer');
  const read = watched?.query('ONE').catch((error) => error);
  server.isFrozen = true;
  await advance(1_250);
  expect(await read).toMatchObject({ code: 'ETIMEDOUT' });
  server.isFrozen = false;
  lend();
  await advance(0);
  expect(sent).not.toHaveBeenCalled();
  expect(server.connections.map(({ released }) => released)).toEqual([true, false]);
});

test('a failed check destroys the idle connections, which can be dead too', async () => {
  Object.assign(server.pool, { idleCount: 2 });
  watch(() => Promise.reject(new Error('reset')));
  await advance(0);
  expect(server.connections.map(({ released }) => released)).toEqual([true, true, true]);
});

test('statements return rows, or reject with the error of the pool, and are not in flight afterwards', async () => {
  watch();
  expect(await watched?.query('ONE')).toEqual([{ sql: 'ONE' }]);
  server.failure = new Error('refused');
  await expect(watched?.query('ONE')).rejects.toBe(server.failure);
  expect(watched?.inFlight).toBe(0);
});

test('a response that arrived while the process was suspended is read before the check fails', async () => {
  let respond: () => void = () => {};
  watch(() => new Promise((resolve) => (respond = () => resolve('late'))));
  await advance(0);
  // After a suspension, timers run first, and then what has arrived.
  vi.advanceTimersByTime(5_000);
  respond();
  await advance(0);
  expect(results).toEqual(['late']);
});

test('an abandoned check has no effect when it ends', async () => {
  const ends: ((result: string) => void)[] = [];
  watch(() => new Promise((resolve) => ends.push(resolve)));
  await advance(1_250);
  expect(ends).toHaveLength(2);
  ends[0]?.('first');
  ends[1]?.('second');
  await advance(0);
  expect(results).toEqual(['ETIMEDOUT', 'second']);
});

test('a connection that is lost between two checks is replaced', async () => {
  watch();
  await advance(0);
  server.connections[0]?.emit('error', new Error('terminated'));
  await advance(250);
  expect(results).toEqual(['lsn 1', 'lsn 2']);
  expect(server.connections.map(({ released }) => released)).toEqual([true, undefined]);
  // A client of pg that is being destroyed can fail once more.
  server.connections[0]?.emit('error', new Error('terminated'));
});

test('a connection that is refused fails the check, and the next check requests another one', async () => {
  server.failure = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  watch();
  await advance(0);
  server.failure = undefined;
  await advance(250);
  expect(results).toEqual(['ECONNREFUSED', 'lsn 1']);
});

test('close gives the connection back, and no check follows', async () => {
  watch();
  await advance(0);
  await watched?.close();
  await watched?.close();
  expect(server.connections.map(({ released }) => released)).toEqual([false]);
  expect(server.connections[0]?.listenerCount('error')).toBe(0);
  await advance(5_000);
  expect(results).toEqual(['lsn 1']);
  expect(vi.getTimerCount()).toBe(0);
});

test('close destroys a connection that was lost', async () => {
  watch();
  await advance(0);
  server.connections[0]?.emit('error', new Error('terminated'));
  await watched?.close();
  expect(server.connections.map(({ released }) => released)).toEqual([true]);
});

test('close waits for a running check, at most 1 s, and ignores its result', async () => {
  watch();
  await advance(0);
  server.isFrozen = true;
  await advance(250);
  let isClosed = false;
  void watched?.close().then(() => {
    isClosed = true;
  });
  await advance(999);
  expect(isClosed).toBe(false);
  await advance(1);
  expect(isClosed).toBe(true);
  expect(server.connections.map(({ released }) => released)).toEqual([true]);
  expect(results).toEqual(['lsn 1']);
});

test.each([
  ['succeeds', undefined],
  ['fails', new Error('refused')],
])('the result of a check that %s after close is ignored', async (_, failure) => {
  watch();
  await advance(0);
  server.delay = 100;
  await advance(250);
  server.failure = failure;
  const closed = watched?.close();
  await advance(100);
  await closed;
  expect(results).toEqual(['lsn 1']);
});

test('a connection that arrives after close is given back', async () => {
  server.delay = 3_000;
  watch();
  await advance(0);
  const closed = watched?.close();
  await advance(1_000);
  await closed;
  await advance(2_000);
  expect(server.connections.map(({ released }) => released)).toEqual([false]);
});

test('the first check begins when the given promise resolves', async () => {
  let begin: () => void = () => {};
  watch(undefined, new Promise((resolve) => (begin = resolve)));
  await advance(1_000);
  expect(server.connections).toEqual([]);
  begin();
  await watched?.firstCheck;
  expect(results).toEqual(['lsn 1']);
});

test('timers do not keep the process alive', async () => {
  const timers: NodeJS.Timeout[] = [];
  // A spy would be restored after the end of the fake time, and bring its timers back.
  const { setTimeout } = globalThis;
  globalThis.setTimeout = ((...call: Parameters<typeof setTimeout>) => {
    const timer = setTimeout(...call);
    timers.push(timer);
    return timer;
  }) as typeof setTimeout;
  try {
    watch();
    await advance(250);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  expect(timers.length).toBeGreaterThanOrEqual(3);
  expect(timers.filter((timer) => timer.hasRef())).toEqual([]);
});

/** Counts the checks of each connection, if no other check is passed. */
function watch(check?: () => Promise<unknown>, after?: Promise<void>): void {
  let count = 0;
  watched = watchServer<unknown>({
    pool: server.pool,
    interval: 250,
    after,
    checkOn: (query) =>
      check ??
      (async () => {
        await query(replicationStatements.readPrimaryPosition);
        count += 1;
        return `lsn ${count}`;
      }),
    begin: () => ({
      succeed: (result) => void results.push(result),
      fail: (error) => void results.push(Object(error).code),
    }),
  });
}
