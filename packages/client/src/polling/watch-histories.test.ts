import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ListedMemory, MemoryChange, MemoryWatch, WatchOptions, WatchState } from '../index.ts';
import { type AccountHistory, accountHistories } from '../testing/account-history.ts';
import { json, stubClient } from '../testing/stub-fetch.ts';
import {
  afterChange,
  differences,
  expectedChanges,
  isRejected,
  isValid,
  type RememberedMemories,
} from '../testing/watch-model.ts';
import { runtime } from '../transport/deadline.ts';

/** The point at which a consumer crashes during a change: before the effect, between effect and state, or after both. */
type Crash = 'none' | 'before' | 'between' | 'after';

/** The data that survive a crash. */
interface Storage {
  readonly effects: MemoryChange[];
  state: WatchState | undefined;
}

beforeEach(() => {
  vi.spyOn(runtime, 'sleep').mockImplementation(async (_milliseconds, signal) => signal?.throwIfAborted());
});
afterEach(() => {
  vi.restoreAllMocks();
});

const crashPlans = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Crash>('none') },
    { weight: 2, arbitrary: fc.constantFrom<Crash>('before', 'between', 'after') },
  ),
  { maxLength: 12 },
);

const numRuns = 100;

test.each([
  ['together with the effect handles each change exactly once', consumeExactlyOnce, 'exactlyOnce'],
  ['after the effect handles each change at least once', consumeAtLeastOnce, 'atLeastOnce'],
] as const)('a consumer that stores the state %s', async (_title, consumer, guarantee) => {
  await fc.assert(
    fc.asyncProperty(accountHistories, crashPlans, async (history, plan) => {
      const answers = endQuietly(history, plan);
      const effects = await consume(answers, plan, consumer);
      expect(effects).toEqual(modelOf(answers, plan, guarantee));
      if (guarantee === 'exactlyOnce') expectMirror(effects, answers.at(-1) as ListedMemory[]);
    }),
    { numRuns },
  );
});

test('onError gets each broken memory once, and again after it was valid', async () => {
  await fc.assert(
    fc.asyncProperty(accountHistories, async (history) => {
      const told: (readonly string[])[] = [];
      await consume(history, [], consumeAtLeastOnce, (error, { failures }) => {
        if (failures === 0 && error.code === 'invalid_response') told.push(error.memoryIds);
      });
      expect(told).toEqual(expectedItemErrors(history));
    }),
    { numRuns },
  );
});

/** Returns the ids of each report: those of the memories that were not broken in the last successful poll. */
function expectedItemErrors(history: AccountHistory): string[][] {
  let before: unknown[] = [];
  return history.flatMap((list) => {
    if (list === 'failure' || isRejected(list)) return [];
    const broken: unknown[] = list.filter((memory) => !isValid(memory)).map(({ id }) => id);
    const fresh = broken.filter((id) => !before.includes(id));
    before = broken;
    return fresh.length === 0 ? [] : [fresh.filter((id) => typeof id === 'string')];
  });
}

/** Calls next() for the following change first, then stores effect and state in one transaction. */
async function consumeExactlyOnce(watch: MemoryWatch, storage: Storage, nextCrash: () => Crash): Promise<void> {
  const changes = watch[Symbol.asyncIterator]();
  let result = await changes.next();
  while (!result.done) {
    const crash = nextCrash();
    const following = changes.next();
    if (crash === 'before' || crash === 'between') return;
    storage.effects.push(result.value);
    storage.state = watch.state;
    if (crash === 'after') return;
    result = await following;
  }
}

async function consumeAtLeastOnce(watch: MemoryWatch, storage: Storage, nextCrash: () => Crash): Promise<void> {
  for await (const change of watch) {
    const crash = nextCrash();
    if (crash === 'before') return;
    storage.effects.push(change);
    if (crash === 'between') return;
    storage.state = watch.state;
    if (crash === 'after') return;
  }
}

/** Runs a consumer to the end of a history, each time from the stored state. */
async function consume(
  answers: AccountHistory,
  plan: readonly Crash[],
  consumer: typeof consumeAtLeastOnce,
  onError: WatchOptions['onError'] = () => {},
): Promise<MemoryChange[]> {
  const looks = answers.values();
  const ending = new AbortController();
  const { client } = stubClient(async () => {
    const { done, value } = looks.next();
    if (done) ending.abort();
    return value === 'failure' ? json({}, { status: 500 }) : json(value ?? []);
  });
  const storage: Storage = { effects: [], state: undefined };
  const nextCrash = crashesOf(plan);
  while (!ending.signal.aborted) {
    const stored = storage.state && (JSON.parse(JSON.stringify(storage.state)) as WatchState);
    const watch = client.watchMemories({
      state: stored,
      signal: ending.signal,
      onError(error, event) {
        onError(error, event);
        return 'continue';
      },
    });
    await consumer(watch, storage, nextCrash).catch((error: unknown) => {
      if (error !== ending.signal.reason) throw error;
    });
    await watch.close();
  }
  return storage.effects;
}

/** Returns the effects of a consumer that stores its state together with each effect, or after it. */
function modelOf(answers: AccountHistory, plan: readonly Crash[], guarantee: 'exactlyOnce' | 'atLeastOnce') {
  const nextCrash = crashesOf(plan);
  const effects: MemoryChange[] = [];
  let stored: RememberedMemories = new Map();
  let taken = stored;
  for (const list of answers) {
    for (const change of list === 'failure' ? [] : expectedChanges(taken, list)) {
      const crash = nextCrash();
      const isStored = crash === 'none' || crash === 'after';
      if (isStored || (crash === 'between' && guarantee === 'atLeastOnce')) effects.push(change);
      const next = afterChange(taken, change);
      // A state that is stored after the effect is the one before the next change is requested.
      if (isStored) stored = guarantee === 'exactlyOnce' ? next : taken;
      taken = crash === 'none' ? next : stored;
      if (crash !== 'none') break;
    }
  }
  return effects;
}

/** Adds polls without changes at the end: one for each crash, and one complete poll. */
function endQuietly(history: AccountHistory, plan: readonly Crash[]): AccountHistory {
  const last = (history.findLast((answer) => answer !== 'failure') ?? []).filter(isValid);
  return [...history, ...plan.map(() => last), last];
}

function crashesOf(plan: readonly Crash[]): () => Crash {
  const crashes = plan.values();
  return () => crashes.next().value ?? 'none';
}

/** A consumer that applies each change finally has the data of the account. */
function expectMirror(effects: readonly MemoryChange[], list: readonly ListedMemory[]): void {
  const mirror = new Map<string, ListedMemory>();
  for (const change of effects) {
    if (change.type === 'missing') mirror.delete(change.memoryId);
    else mirror.set(change.memory.id, change.memory);
  }
  expect([...mirror.keys()].sort()).toEqual(list.map(({ id }) => id).sort());
  for (const memory of list) expect(differences(mirror.get(memory.id) as ListedMemory, memory)).toEqual([]);
}
