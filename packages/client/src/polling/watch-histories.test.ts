import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ListedMemory, MemoryChange, MemoryWatch, WatchState } from '../index.ts';
import { type AccountHistory, accountHistories, isValid } from '../testing/account-history.ts';
import { json, stubClient } from '../testing/stub-fetch.ts';
import { runtime } from '../transport/deadline.ts';

/** Whether a consumer crashes during a change: before its effect and its state are stored, or after. */
type Crash = 'none' | 'before' | 'after';

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

const crashPlans = fc.array(fc.constantFrom<Crash>('none', 'none', 'before', 'after'), { maxLength: 12 });

test('a consumer that stores the state together with the effect handles each change exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(accountHistories, crashPlans, async (history, plan) => {
      // Polls without changes at the end: one for each crash, and one complete poll.
      const last = (history.findLast((answer) => answer !== 'failure') ?? []).filter(isValid);
      const effects = await consume([...history, ...plan.map(() => last), last], plan);
      const mirror = new Map<string, ListedMemory>();
      for (const change of effects) {
        if (change.type === 'missing') expect(mirror.delete(change.memoryId)).toBe(true);
        else {
          expect(mirror.has(change.memory.id)).toBe(change.type !== 'added');
          mirror.set(change.memory.id, change.memory);
        }
      }
      expect(seen([...mirror.values()])).toEqual(seen(last));
      const processed = effects.flatMap((change) => (change.type === 'processed' ? change.memory.id : []));
      expect(new Set(processed).size).toBe(processed.length);
    }),
    { numRuns: 100 },
  );
});

/** Each response signs its URLs again, and a time has several spellings. */
function seen(memories: readonly ListedMemory[]): object {
  const contentOf = ([field, value]: [string, unknown]) => {
    if (field.endsWith('_url')) return [field, value !== null];
    return [field, field.endsWith('_at') ? Date.parse(String(value)) : value];
  };
  return Object.fromEntries(
    memories.map((memory) => [memory.id, Object.fromEntries(Object.entries(memory).map(contentOf))]),
  );
}

/** Runs the consumer to the end of a history, each time from the stored state. */
async function consume(answers: AccountHistory, plan: readonly Crash[]): Promise<MemoryChange[]> {
  const looks = answers.values();
  const ending = new AbortController();
  const { client } = stubClient(async () => {
    const { done, value } = looks.next();
    if (done) ending.abort();
    return value === 'failure' ? json({}, { status: 500 }) : json(value ?? []);
  });
  const storage: Storage = { effects: [], state: undefined };
  const crashes = plan.values();
  while (!ending.signal.aborted) {
    const state = storage.state && (JSON.parse(JSON.stringify(storage.state)) as WatchState);
    const watch = client.watchMemories({ state, signal: ending.signal, onError: () => 'continue' });
    await consumeUntilCrash(watch, storage, () => crashes.next().value ?? 'none').catch((error: unknown) => {
      if (error !== ending.signal.reason) throw error;
    });
    await watch.close();
  }
  return storage.effects;
}

/** Calls next() for the following change first, then stores effect and state in one transaction. */
async function consumeUntilCrash(watch: MemoryWatch, storage: Storage, nextCrash: () => Crash): Promise<void> {
  const changes = watch[Symbol.asyncIterator]();
  let result = await changes.next();
  while (!result.done) {
    const crash = nextCrash();
    const following = changes.next();
    if (crash === 'before') return;
    storage.effects.push(result.value);
    storage.state = watch.state;
    if (crash === 'after') return;
    result = await following;
  }
}
