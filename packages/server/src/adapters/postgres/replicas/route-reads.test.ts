import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import type { Query, Row } from '../postgres-query.ts';
import type { CheckedReplica } from './checked-server.ts';
import { routeReads } from './route-reads.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Errors after which another server is read, and the replica is kept. */
const passing = ['40001', '40P01', '42P01', '42703', 'XX001', '53300', '58030', 'EMFILE'].map(driverError);
/** Errors after which another server is read, and the replica is not used any more. */
const lost = ['08006', '57P01', '57014', 'ECONNRESET', 'ETIMEDOUT'].map(driverError);
const final = [driverError('22021'), driverError('23505'), driverError('ERR_INVALID_ARG_TYPE'), new TypeError('wrong')];
// Messages of `pg-pool`. A pool whose connections are all in use says nothing about its server.
passing.push(new Error('timeout exceeded when trying to connect'));
lost.push(new Error('Connection terminated due to connection timeout'));

test.each([
  ...passing.map((error) => [error, 'keeps it, and reads from the other one'] as const),
  ...lost.map((error) => [error, 'gives it up, and reads from the other one'] as const),
  ...final.map((error) => [error, 'rejects'] as const),
])('after %o of a replica, a read %s', async (error, outcome) => {
  const [primary, first, second] = ['primary', 'first', 'second'].map(fakeServer) as [Server, Server, Server];
  const { read } = routeReads({ primary, replicas: [first, second] }, { fallbackReads: 1 });
  first.answer = () => Promise.reject(error);
  if (outcome === 'rejects') await expect(read('SELECT')).rejects.toBe(error);
  else expect(await read('SELECT')).toEqual([{ name: 'second' }]);
  expect(first.givenUp).toEqual(lost.includes(error) ? [error] : []);
});

test.each([
  [0, true, 'the server that should be the primary is a replica'],
  [0, false, 'reads may not use the primary'],
  [1, false, 'the primary was busy with 1 other read for 5 s'],
  [2, false, 'the primary was busy with 2 other reads for 5 s'],
])(
  'without a usable replica and with %i busy fallback connections, and with a primary that is a replica: %s, a read fails because %s',
  async (size, isReplica, reason) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [primary, replica] = ['primary', 'replica'].map(fakeServer) as [Server, Server];
    const { read } = routeReads({ primary, replicas: [replica] }, { fallbackReads: size });
    const [cause] = passing;
    primary.answer = () => new Promise(() => {});
    primary.isReplica = isReplica;
    replica.answer = () => Promise.reject(cause);
    const reads = Array.from({ length: size + 1 }, () => read('SELECT'));
    const failed = expect(reads.at(-1)).rejects.toMatchObject({
      ...{ name: 'PostgresStoreError', code: 'unreachable', cause },
      message: `Failed to read from PostgreSQL: no replica responded, and ${reason}. Check the replicas.`,
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await failed;
  },
);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ start: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      end: fc.nat(20),
      result: fc.constantFrom<Row[] | Error>(
        [{ name: 'Ada' }],
        [],
        [],
        ...passing.slice(0, 2),
        ...lost.slice(0, 2),
        final[0] as Error,
      ),
      /** Aborts this read, or the one that has waited for longest, a few microtasks later. */
      leaves: fc.option(fc.record({ isOther: fc.boolean(), ticks: fc.nat(8) })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ switchReplica: fc.nat(2) }) },
  fc.constantFrom('switchPrimary' as const, 'switchRole' as const),
  fc.record({ abort: fc.nat(40) }),
  fc.record({ wait: fc.integer({ min: 1, max: 4_000 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test('reads keep every rule, whatever the servers and the callers do', async () => {
  const steps = fc.array(step, { maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.nat(3), steps, async (replicaCount, fallbackReads, all) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const model = createModel(replicaCount, fallbackReads);
      for (const each of all) await model.run(each);
      await model.finish();
    }),
    { numRuns: 200 },
  );
});

interface Attempt {
  server: Server;
  /** Absent while the statement is in flight. */
  result?: Row[] | Error;
  end(result: Row[] | Error): void;
}

/** A read, and what happened to it. */
interface ModelRead {
  /** Its statements at one server each. */
  attempts: Attempt[];
  series: number;
  leaving: AbortController;
  /** When it began to wait for the primary. */
  since?: number;
  /** Absent until the read ends. */
  outcome?: unknown;
}

function createModel(replicaCount: number, fallbackReads: number) {
  const primary = fakeServer('primary');
  const replicas = Array.from({ length: replicaCount }, (_, index) => fakeServer(`replica ${index}`));
  const router = routeReads({ primary, replicas }, { fallbackReads });
  const reads: ModelRead[] = [];
  const open = new Set<ModelRead>();
  const inFlight: [ModelRead, Attempt][] = [];
  /** A read at position 0 belongs to no series. */
  const series = [undefined, {}, {}, {}];
  const lastOfSeries: (Server | undefined)[] = [];
  let lastChosen: Server | undefined;
  /** Reads that wait for the primary, in the order in which they began to. */
  let queue: ModelRead[] = [];
  let now = 0;
  const violations: unknown[] = [];

  for (const server of [primary, ...replicas]) {
    server.answer = (sql, values) => {
      expect(sql).toBe('SELECT');
      const read = values?.[0] as ModelRead;
      try {
        if (server === primary) checkUseOfPrimary(read);
        else checkChoice(read, server);
      } catch (error) {
        // The router would handle it.
        violations.push(error);
      }
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
      const attempt: Attempt = {
        server,
        end(result) {
          attempt.result = result;
          if (result instanceof Error) reject(result);
          else resolve(result);
        },
      };
      read.attempts.push(attempt);
      inFlight.push([read, attempt]);
      return promise;
    };
  }

  return {
    async run(next: Step) {
      if (next === 'switchPrimary') primary.isReachable = !primary.isReachable;
      else if (next === 'switchRole') primary.isReplica = !primary.isReplica;
      else if ('start' in next) start(next.start);
      else if ('end' in next) await end(next);
      else if ('abort' in next) reads[next.abort]?.leaving.abort();
      else if ('wait' in next) {
        now += next.wait;
        vi.advanceTimersByTime(next.wait);
      } else {
        const replica = replicas[next.switchReplica];
        if (replica) replica.usable = !replica.usable;
      }
      await settle();
    },
    /** Ends all statements. Then every read has ended, and every connection is free again. */
    async finish() {
      while (inFlight.length > 0) {
        await end({ end: 0, result: [], leaves: null });
        await settle();
      }
      expect([...open]).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
      expect(reads.flatMap(({ leaving }) => getEventListeners(leaving.signal, 'abort'))).toEqual([]);
      expect(router.counts()).toEqual(countSources());
      for (const server of replicas) server.usable = false;
      primary.isReplica = false;
      for (let count = 0; count <= fallbackReads; count += 1) start(0);
      await settle();
      expect(primary.inFlight).toBe(fallbackReads);
    },
  };

  function start(ofSeries: number): void {
    const read: ModelRead = { attempts: [], series: ofSeries, leaving: new AbortController() };
    reads.push(read);
    open.add(read);
    const end = (outcome: unknown) => {
      read.outcome = outcome;
    };
    router.read('SELECT', [read], { signal: read.leaving.signal, series: series[ofSeries] }).then(end, end);
  }

  /** Ends a statement, and checks what its result means for the server and for the read. */
  async function end({ end, result, leaves }: Extract<Step, { end: number }>): Promise<void> {
    const [[read, attempt] = []] = inFlight.splice(end % (inFlight.length || 1), 1);
    if (read === undefined || attempt === undefined) return;
    const { server } = attempt;
    const isFirst = !read.attempts.some((each) => each.server === primary);
    const canRecheck =
      isFirst && primary.isReachable && primary.inFlight < fallbackReads && !read.leaving.signal.aborted;
    attempt.end(result);
    for (let tick = 0; tick < (leaves?.ticks ?? 0); tick += 1) await undefined;
    if (leaves) (leaves.isOther ? queue[0] : read)?.leaving.abort();
    await setImmediate();
    const isGivenUp = server !== primary && lost.includes(result as Error);
    expect(server.givenUp.splice(0)).toEqual(isGivenUp ? [result] : []);
    if (Array.isArray(result) && result.length === 0 && server !== primary && !leaves)
      expect(read.attempts.at(-1)?.server).toBe(canRecheck ? primary : server);
  }

  function canTry({ attempts }: ModelRead, server: Server): boolean {
    const ofReplicas = attempts.filter((attempt) => attempt.server !== primary);
    return server.usable && ofReplicas.length < 2 && !attempts.some((attempt) => attempt.server === server);
  }

  /** The replica of the series, otherwise one with the fewest statements in flight, and of these one after the other. */
  function checkChoice(read: ModelRead, chosen: Server): void {
    expect([canTry(read, chosen), read.leaving.signal.aborted]).toEqual([true, false]);
    const last = read.series === 0 ? undefined : lastOfSeries[read.series];
    lastOfSeries[read.series] = chosen;
    if (last !== undefined && canTry(read, last)) {
      expect(chosen).toBe(last);
      return;
    }
    const before = chosen.inFlight - 1;
    const others = replicas.filter((server) => server !== chosen && canTry(read, server));
    for (const other of others) expect(before).toBeLessThanOrEqual(other.inFlight);
    if (others.some((other) => other.inFlight === before)) expect(chosen).not.toBe(lastChosen);
    lastChosen = chosen;
  }

  /** The primary is read if a replica returned no row, or if no replica is left to try. */
  function checkUseOfPrimary(read: ModelRead): void {
    expect(read.leaving.signal.aborted).toBe(false);
    if (Array.isArray(read.attempts.at(-1)?.result)) expect(primary.isReachable).toBe(true);
    else expect([primary.isReplica, replicas.some((server) => canTry(read, server))]).toEqual([false, false]);
  }

  /** Waits until nothing moves, and checks every rule. */
  async function settle(): Promise<void> {
    await setImmediate();
    expect(violations).toEqual([]);
    for (const read of open) {
      checkRead(read);
      if ('outcome' in read) open.delete(read);
    }
    const isWaiting = (read: ModelRead) => !('outcome' in read) && read.attempts.every(({ result }) => result);
    // First come first served: every read that was served had waited for longer than those that still wait.
    const waiting = queue.filter(isWaiting);
    const lastServed = queue.findLastIndex(({ attempts }) => attempts.some(({ result }) => !result));
    expect(waiting.some((read) => queue.indexOf(read) < lastServed)).toBe(false);
    const later = [...open].filter((read) => isWaiting(read) && !waiting.includes(read));
    for (const read of later) read.since = now;
    queue = [...waiting, ...later];
    expect(primary.inFlight).toBeLessThanOrEqual(fallbackReads);
    for (const { leaving, since = 0 } of queue) {
      expect(leaving.signal.aborted).toBe(false);
      expect(now - since).toBeLessThan(5_000);
      expect(fallbackReads).toBeGreaterThan(0);
      expect(primary.inFlight).toBe(fallbackReads);
    }
  }

  /** Compares a read with its attempts. */
  function checkRead(read: ModelRead): void {
    const { attempts, leaving, outcome, since = now } = read;
    expect(new Set(attempts.map(({ server }) => server)).size).toBe(attempts.length);
    for (const { result } of attempts.slice(0, -1)) expect(final).not.toContain(result);
    if (!('outcome' in read)) return;
    const last = attempts.at(-1);
    const answers = attempts.map(({ result }) => result).filter(Array.isArray);
    if (outcome === leaving.signal.reason) expect(leaving.signal.aborted).toBe(true);
    // A read succeeds if any server that it was sent to has answered it.
    else if (answers.length > 0) expect(outcome).toBe(answers.at(-1));
    else if (final.includes(last?.result as Error)) expect(outcome).toBe(last?.result);
    else {
      expect(replicas.filter((server) => canTry(read, server))).toEqual([]);
      const ofPrimary = attempts.find(({ server }) => server === primary);
      expect(outcome).toBe(ofPrimary?.result ?? outcome);
      if (ofPrimary !== undefined) return;
      // No connection to the primary was free in time. The reason is the last failure.
      expect(outcome).toMatchObject({ name: 'PostgresStoreError' });
      expect((outcome as Error).cause).toBe(last?.result);
      expect(now - since).toBeGreaterThanOrEqual(fallbackReads === 0 || primary.isReplica ? 0 : 5_000);
    }
  }

  function countSources() {
    const counts = { replica: 0, fallback: 0, recheck: 0 };
    for (const { attempts, outcome } of reads) {
      const [source, ...more] = attempts.filter(({ result }) => Array.isArray(result));
      if (!Array.isArray(outcome) || source === undefined) continue;
      counts[source.server === primary ? 'fallback' : more.length > 0 ? 'recheck' : 'replica'] += 1;
    }
    return counts;
  }
}

/** A server whose state and answers are set by a test. */
interface Server extends CheckedReplica {
  isReachable: boolean;
  isReplica: boolean;
  inFlight: number;
  usable: boolean;
  /** Errors that `giveUp` received. */
  givenUp: unknown[];
  /** Runs a statement. */
  answer: Query;
}

function fakeServer(name: string): Server {
  const server: Server = {
    ...{ isReachable: true, isReplica: false, inFlight: 0, usable: true, givenUp: [] },
    answer: async () => [{ name }],
    isUsable: () => server.usable,
    giveUp(error) {
      server.givenUp.push(error);
      server.usable = false;
    },
    async query(...statement) {
      server.inFlight += 1;
      try {
        return await server.answer(...statement);
      } finally {
        server.inFlight -= 1;
      }
    },
  };
  return server;
}

/** An error of a driver. */
function driverError(code: string): Error {
  return Object.assign(new Error(`Failed to query: the server reported ${code}. Try again.`), { code });
}
