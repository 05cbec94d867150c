import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Row } from '../postgres-query.ts';
import { driverError, type FakeServer, fakeServer } from './fake-servers.test-support.ts';
import { routeReads } from './route-reads.ts';

/** A read, and what happened to it. */
interface ModelRead {
  /** Its statements at one server each. The result is absent while a statement is in flight. */
  attempts: { server: FakeServer; result?: Row[] | Error }[];
  series: number;
  leaving: AbortController;
  /** Absent until the read ends. */
  outcome?: unknown;
}

const repeated = ['40001', '57P01', 'ECONNRESET', '42P01'].map(driverError);
const final = [driverError('22021'), new TypeError('wrong')];

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ start: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      end: fc.nat(20),
      result: fc.constantFrom<Row[] | Error>([{ name: 'Ada' }], [], ...repeated, ...final),
    }),
  },
  fc.record({ switchReplica: fc.nat(2) }),
  fc.constant('switchPrimary' as const),
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
    { numRuns: 100 },
  );
});

function createModel(replicaCount: number, fallbackReads: number) {
  const primary = fakeServer('primary');
  const replicas = Array.from({ length: replicaCount }, (_, index) => fakeServer(`replica ${index}`));
  const router = routeReads({ primary, replicas }, { fallbackReads });
  const reads: ModelRead[] = [];
  const open = new Set<ModelRead>();
  const inFlight: ((result: Row[] | Error) => void)[] = [];
  /** Series 0 is none. */
  const series = [undefined, {}, {}, {}];
  const lastOfSeries: (FakeServer | undefined)[] = [];
  /** Reads that wait for the primary, in the order in which they began to. */
  let queue: ModelRead[] = [];

  for (const server of [primary, ...replicas]) {
    server.answer = (_sql, values) => {
      const read = values?.[0] as ModelRead;
      if (server === primary) checkUseOfPrimary(read);
      else checkChoice(read, server);
      const attempt: ModelRead['attempts'][number] = { server };
      read.attempts.push(attempt);
      const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
      inFlight.push((result) => {
        attempt.result = result;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
      return promise;
    };
  }

  return {
    async run(next: Step) {
      if (next === 'switchPrimary') primary.isReachable = !primary.isReachable;
      else if ('start' in next) start(next.start);
      else if ('end' in next) inFlight.splice(next.end % (inFlight.length || 1), 1)[0]?.(next.result);
      else if ('abort' in next) reads[next.abort]?.leaving.abort();
      else if ('wait' in next) vi.advanceTimersByTime(next.wait);
      else {
        const replica = replicas[next.switchReplica];
        if (replica) replica.usable = !replica.usable;
      }
      await settle();
    },
    /** Ends all statements. Then every read has ended, and every connection is free again. */
    async finish() {
      for (let end = inFlight.shift(); end; end = inFlight.shift()) {
        end([]);
        await settle();
      }
      expect(reads.filter((read) => !('outcome' in read))).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
      const { replica, fallback, recheck } = router.counts();
      expect(replica + fallback + recheck).toBe(reads.filter(({ outcome }) => Array.isArray(outcome)).length);
      for (const server of replicas) server.usable = false;
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

  function canTry({ attempts }: ModelRead, server: FakeServer): boolean {
    const ofReplicas = attempts.filter((attempt) => attempt.server !== primary);
    return server.usable && ofReplicas.length < 2 && !attempts.some((attempt) => attempt.server === server);
  }

  /** The replica of the series, otherwise one with the fewest statements in flight. */
  function checkChoice(read: ModelRead, chosen: FakeServer): void {
    expect(canTry(read, chosen)).toBe(true);
    const last = read.series === 0 ? undefined : lastOfSeries[read.series];
    lastOfSeries[read.series] = chosen;
    const isBound = last !== undefined && canTry(read, last);
    const others = replicas.filter((server) => server !== chosen && canTry(read, server));
    if (isBound) expect(chosen).toBe(last);
    else for (const other of others) expect(chosen.inFlight - 1).toBeLessThanOrEqual(other.inFlight);
  }

  /** Either a replica found nothing and the primary can be reached, or there is no replica to try. */
  function checkUseOfPrimary(read: ModelRead): void {
    expect(read.leaving.signal.aborted).toBe(false);
    if (Array.isArray(read.attempts.at(-1)?.result)) expect(primary.isReachable).toBe(true);
    else expect(replicas.filter((server) => canTry(read, server))).toEqual([]);
  }

  /** Waits until nothing moves, and checks every rule. */
  async function settle(): Promise<void> {
    await setImmediate();
    for (const read of open) {
      checkRead(read);
      if ('outcome' in read) open.delete(read);
    }
    const isWaiting = (read: ModelRead) => !('outcome' in read) && read.attempts.every(({ result }) => result);
    // First come first served: every read that was served had waited for longer than those that still wait.
    const waiting = queue.filter(isWaiting);
    const lastServed = queue.findLastIndex(({ attempts }) => attempts.some(({ result }) => !result));
    expect(waiting.some((read) => queue.indexOf(read) < lastServed)).toBe(false);
    queue = [...waiting, ...[...open].filter((read) => isWaiting(read) && !waiting.includes(read))];
    expect(primary.inFlight).toBeLessThanOrEqual(fallbackReads);
    expect(queue.filter(({ leaving }) => leaving.signal.aborted)).toEqual([]);
    if (queue.length > 0) expect(primary.inFlight).toBe(fallbackReads);
  }

  /** Compares a read with its attempts. */
  function checkRead(read: ModelRead): void {
    const { attempts, leaving, outcome } = read;
    expect(attempts.length).toBeLessThanOrEqual(3);
    const ofReplicas = attempts.filter(({ server }) => server !== primary);
    expect(new Set(attempts.map(({ server }) => server)).size).toBe(attempts.length);
    expect(ofReplicas.length).toBeLessThanOrEqual(2);
    for (const { result } of attempts.slice(0, -1)) if (!Array.isArray(result)) expect(repeated).toContain(result);
    if (!('outcome' in read)) return;
    const isLate = Object(outcome).name === 'PostgresStoreError';
    const last = attempts.at(-1);
    const answers = attempts.map(({ result }) => result).filter(Array.isArray);
    if (outcome === leaving.signal.reason) expect(leaving.signal.aborted).toBe(true);
    // A read succeeds if any server that it was sent to has answered it.
    else if (answers.length > 0) expect(outcome).toBe(answers.at(-1));
    // If no connection to the primary was free in time, the reason is the last failure.
    else if (isLate)
      expect([(outcome as Error).cause, last?.server]).toEqual([last?.result, ofReplicas.at(-1)?.server]);
    else if (final.includes(last?.result as Error)) expect(outcome).toBe(last?.result);
    else expect(outcome).toBe(attempts.find(({ server }) => server === primary)?.result);
  }
}
