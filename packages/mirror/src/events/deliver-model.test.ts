import { cpSync } from 'node:fs';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeliveryError, type Mirror, openMirror, type SendEvent } from '../index.ts';
import { DeliveryModel, type ModelEvent, type Outcome } from '../testing/delivery-model.ts';
import { stubClient } from '../testing/stub-client.ts';

const DAY = 86_400_000;
const options = { maxTries: 2, firstRetry: 1_000, longestRetry: 20_000 };

const outcome = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Outcome>('accept') },
  { weight: 3, arbitrary: fc.constantFrom<Outcome>('retry', 'unavailable') },
  { weight: 1, arbitrary: fc.constantFrom<Outcome>('park', 'stop') },
);
const outcomes = fc.oneof(
  fc.array(outcome, { minLength: 1, maxLength: 8 }),
  fc.constantFrom<Outcome[]>(['retry'], ['unavailable']),
);
const memory = fc.nat(4);
const does = <Name extends string>(name: Name) => ({ do: fc.constant<Name>(name) });
const time = fc.integer({ min: -3 * DAY, max: DAY });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...does('change'), memories: fc.array(memory) }) },
  { weight: 8, arbitrary: fc.record({ ...does('deliver'), outcomes, limit: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 4, arbitrary: fc.record({ ...does('wait'), outcomes }) },
  ...[fc.record({ ...does('jump'), time }), fc.record({ ...does('replay'), events: fc.array(fc.nat(30)) })],
  ...[fc.record(does('crash')), fc.record(does('resume'))],
  ...[fc.record({ ...does('purge'), memory }), fc.record({ ...does('purge in flight'), memory })],
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A mirror, its receiver and the model. Each try and each report is compared. */
class Run {
  readonly model = new DeliveryModel(options.maxTries);
  readonly clock = { time: Date.parse('2026-11-23T12:00:00Z') };
  readonly memories = new Map([['mem_kept', sampleMemory({ id: 'mem_kept' })]]);
  readonly purged = new Set<string>();
  folder = makeFolder();
  mirror!: Mirror;

  async open(folder: string): Promise<void> {
    await this.mirror?.close();
    this.folder = folder;
    this.mirror = await openMirror({ folder, clock: { now: () => new Date(this.clock.time) } });
  }

  async step(step: Step): Promise<void> {
    if (step.do === 'change') await this.change(step.memories);
    else if (step.do === 'deliver') await this.deliver(step.outcomes, step.limit);
    else if (step.do === 'wait') await this.wait(step.outcomes);
    else if (step.do === 'jump') this.clock.time += step.time;
    else if (step.do === 'replay') await this.replay(step.events);
    else if (step.do === 'crash') await this.crash();
    else if (step.do === 'resume') await this.resume();
    else if (step.do === 'purge') await this.purge(`mem_${step.memory}`);
    else await this.deliver(['retry'], 1, () => this.purge(`mem_${step.memory}`));
  }

  async replay(indexes: readonly number[]): Promise<void> {
    if ((await this.mirror.listSinks()).length === 0) return;
    const items = [...new Set(indexes.flatMap((index) => this.model.events[index] ?? []))];
    const ids = items.map(({ event }) => event.id);
    expect(await this.mirror.replay('default', ids)).toBeGreaterThanOrEqual(this.model.replay(items));
  }

  async resume(): Promise<void> {
    if (await this.mirror.resumeSink('default')) this.model.isStopped = false;
  }

  async change(indexes: readonly number[]): Promise<void> {
    for (const id of indexes.map((index) => `mem_${index}`)) {
      const now = this.memories.get(id);
      this.clock.time += 1_000;
      if (now === undefined) this.memories.set(id, sampleMemory({ id, is_processing: true }));
      else if (now.is_processing) this.memories.set(id, { ...now, is_processing: false });
      else if (now.name === 'New') this.memories.delete(id);
      else this.memories.set(id, { ...now, name: 'New' });
    }
    await this.mirror.sync(stubClient(this.memories), { recheck: 100 });
    this.model.add((await this.mirror.events({ limit: 1_000 })).events);
  }

  async purge(id: string): Promise<void> {
    await this.mirror.purge(id);
    this.memories.delete(id);
    this.model.purge(id);
  }

  /** Compares an event with the model. Nothing is invented, repeated or sent before an earlier event of its memory. */
  find(...[event, { attempt, body }]: Parameters<SendEvent>): ModelEvent {
    expect(this.model.isStopped).toBe(false);
    const item = this.model.free().find((free) => free.event.id === event.id);
    expect({ event, attempt }).toEqual({ event: item?.event, attempt: Number(item?.attempts) + 1 });
    expect(body).toBe(JSON.stringify(item?.event));
    return item as ModelEvent;
  }

  async deliver(outcomes: readonly Outcome[], limit = 1_000, duringTry?: () => Promise<void>) {
    const { model } = this;
    let tries = 0;
    let last: Outcome | undefined;
    const types: string[] = [];
    const seen: string[] = [];
    const send: SendEvent = async (event, context) => {
      const item = this.find(event, context);
      last = outcomes[tries % outcomes.length] ?? 'accept';
      tries += 1;
      await duringTry?.();
      types.push(model.end(item, last));
      if (last !== 'accept') throw new DeliveryError('No.', { action: last });
    };
    const onDelivery = ({ type }: { type: string }) => seen.push(type);
    const report = await this.mirror.deliver('default', send, { ...options, limit, onDelivery });
    expect(seen).toEqual(types);
    const pending = model.pending();
    expect([report.pending, report.stopped !== null]).toEqual([pending.length, model.isStopped]);
    expect(report.nextTry === null).toBe(pending.length === 0 || model.isStopped);
    // After an accepted try, only events whose last try counted have a pause.
    if (last === 'accept' && tries < limit) expect(model.free().filter(({ lastCounts }) => !lastCounts)).toEqual([]);
    const parked = (await this.mirror.listDeliveries('default', { state: 'parked' })).map(({ eventId }) => eventId);
    expect(parked).toEqual(model.events.flatMap(({ event, state }) => (state === 'parked' ? event.id : [])));
    return { ...report, tries };
  }

  /** Nothing is sent before the next try, and then something is. */
  async wait(outcomes: readonly Outcome[]): Promise<void> {
    const { nextTry } = await this.deliver(['accept'], 1);
    if (nextTry === null) return;
    const ahead = nextTry.getTime() - this.clock.time;
    expect(ahead).toBeGreaterThanOrEqual(0);
    this.clock.time += Math.max(0, ahead - 1);
    if (ahead > 0) expect(await this.deliver(['accept'], 1)).toMatchObject({ tries: 0, nextTry });
    this.clock.time = nextTry.getTime();
    let { tries, nextTry: later } = await this.deliver(outcomes);
    if (tries === 0) {
      // The log had only events that wait for earlier ones. They are set aside now.
      expect(later?.getTime()).toBeGreaterThan(this.clock.time);
      this.clock.time = later?.getTime() ?? 0;
      ({ tries } = await this.deliver(outcomes));
    }
    expect(tries).toBeGreaterThan(0);
  }

  /** The process ends after the receiver accepted an event, and before the answer is stored. */
  async crash(): Promise<void> {
    const folder = makeFolder();
    const send: SendEvent = (event, context) => {
      this.find(event, context);
      cpSync(this.folder, folder, { recursive: true, filter: (path) => !/\.lock$|-shm$/.test(path) });
    };
    const { delivered } = await this.mirror.deliver('default', send, { ...options, limit: 1 });
    if (delivered > 0) await this.open(folder);
  }

  /** The receiver accepts all, and then nothing waits. */
  async end(): Promise<void> {
    await this.resume();
    for (
      let report = await this.deliver(['accept']);
      report.nextTry !== null;
      report = await this.deliver(['accept'])
    ) {
      expect(report.nextTry.getTime()).toBeGreaterThan(this.clock.time);
      this.clock.time = report.nextTry.getTime();
    }
    expect(this.model.pending()).toEqual([]);
    const [state] = await this.mirror.listSinks();
    expect(state).toMatchObject({ delivered: this.model.accepted, pending: 0, oldestPending: null, nextTry: null });
    await this.mirror.close();
  }
}

test('deliveries are those of a simple model, with any failures, crashes, replays, purges and clocks', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }), async (steps) => {
    const run = new Run();
    await run.open(run.folder);
    for (const step of steps) await run.step(step);
    await run.end();
  });
  await fc.assert(property, { numRuns: 40, seed: 20261127, endOnFailure: true });
});
