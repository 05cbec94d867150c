import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import type { ListedMemory } from '../index.ts';
import { WatchCursor } from './watch-cursor.ts';
import { createWatchState } from './watch-state.ts';

/** A list that counts how often a field of its memories is read. */
function countingList(size: number, changes: Partial<ListedMemory>) {
  const counter = { reads: 0 };
  const list = Array.from({ length: size }, (_item, index) => {
    const memory = sampleListedMemory({ id: `mem_${index}`, ...changes });
    return new Proxy(memory, {
      get(target, field, receiver) {
        counter.reads += 1;
        return Reflect.get(target, field, receiver);
      },
    });
  });
  return { list, counter };
}

/** Counts the operations on maps, including each iteration step, because copying a map costs as much as its size. */
function countLookups() {
  const steps = Object.getPrototypeOf(new Map().entries()) as IterableIterator<unknown>;
  const spies = [
    vi.spyOn(steps, 'next'),
    ...(['get', 'set', 'has', 'delete', 'forEach'] as const).map((name) => vi.spyOn(Map.prototype, name)),
  ];
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

/** Returns the cost of a poll in which every memory has changed: reads of fields, and operations on maps. */
function costOfRound(size: number) {
  const cursor = new WatchCursor(createWatchState(), 'https://api.example.com');
  for (const step of cursor.compare(countingList(size, { is_processing: true }).list)) cursor.commit(step);
  const { list, counter } = countingList(size, { name: 'Renamed' });
  const lookupsSoFar = countLookups();
  const steps = cursor.compare(list);
  for (const step of steps) cursor.commit(step);
  const lookups = lookupsSoFar();
  vi.restoreAllMocks();
  return { steps: steps.length, reads: counter.reads, lookups };
}

test('a poll with twice as many changes costs twice as much', () => {
  const one = costOfRound(500);
  const two = costOfRound(1_000);
  expect(one.steps).toBe(500);
  expect(two.steps).toBe(1_000);
  expect(two.reads / one.reads).toBeCloseTo(2, 1);
  expect(two.lookups / one.lookups).toBeCloseTo(2, 1);
  expect(one.reads).toBeLessThan(500 * 30);
  expect(one.lookups).toBeLessThan(500 * 10);
});

test('a state is created when it is read, once for each position', () => {
  const cursor = new WatchCursor(createWatchState(), 'https://api.example.com');
  const [first, second] = cursor.compare([sampleListedMemory()]);
  const before = cursor.state;
  expect(cursor.state).toBe(before);
  if (first) cursor.commit(first);
  const after = cursor.state;
  expect(after).not.toBe(before);
  if (second) cursor.commit(second);
  expect(cursor.state).not.toEqual(after);
  expect(before.memories).toEqual([]);
});
