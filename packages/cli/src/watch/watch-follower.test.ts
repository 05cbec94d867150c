import { setImmediate } from 'node:timers/promises';
import type { MemoryChange, MemoryWatch, WatchState } from '@memory-read/client';
import { expect, test } from 'vitest';
import { WatchFollower } from './watch-follower.ts';

const change = (memoryId: string): MemoryChange => ({ type: 'missing', memoryId });

/** A watch that yields the changes of each poll at once, and then waits for the next. Its state counts the changes. */
function fakeWatch(...polls: string[][]) {
  let taken = 0;
  let states = [{ version: 1, account: '0', memories: [] } as WatchState];
  const events: string[] = [];
  let release = () => {};
  const rest = new Promise<void>((resolve) => {
    release = resolve;
  });
  const iterate = async function* () {
    for (const poll of polls) {
      follower.saveIfIdle();
      globalThis.setImmediate(() => follower.saveIfIdle());
      for (const memoryId of poll) {
        yield change(memoryId);
        taken += 1;
        states = [{ version: 1, account: String(taken), memories: [] }];
      }
      await setImmediate();
      await setImmediate();
    }
    await rest;
  };
  const watch = {
    get state() {
      return states[0];
    },
    async close() {
      events.push('close');
      release();
    },
    [Symbol.asyncIterator]: iterate,
  } as MemoryWatch;
  let reads = true;
  const follower = new WatchFollower(watch, {
    async print(changes) {
      await setImmediate();
      events.push(`print ${changes.map((one) => ('memoryId' in one ? one.memoryId : '')).join()}`);
      if (polls.at(-1)?.at(-1) === (changes.at(-1) as { memoryId: string }).memoryId) reads = false;
      return reads;
    },
    save: ({ account }) => void events.push(`save ${account}`),
  });
  return { follower, events, watch };
}

test('the changes of a poll are printed together, and the state that covers them is stored after that', async () => {
  const { follower, events } = fakeWatch(['a', 'b', 'c'], ['d'], ['e', 'f'], ['end']);
  await follower.follow();
  expect(events).toEqual([
    ...['save 0', 'print a,b,c', 'save 3', 'print d', 'save 4', 'print e,f', 'save 6', 'print end', 'close'],
  ]);
});

test('a state that cannot be stored after a poll without changes ends the watch with the failure', async () => {
  const { watch } = fakeWatch([]);
  const failure = new Error('full');
  let saves = 0;
  const follower = new WatchFollower(
    Object.defineProperty(watch, 'state', { get: () => ({ version: 1, account: null, memories: [] }) }),
    {
      print: async () => true,
      save() {
        saves += 1;
        if (saves > 1) throw failure;
      },
    },
  );
  const followed = follower.follow();
  await setImmediate();
  follower.saveIfIdle();
  await expect(followed).rejects.toBe(failure);
});
