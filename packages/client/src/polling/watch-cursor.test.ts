import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { WatchCursor } from './watch-cursor.ts';
import { createWatchState } from './watch-state.ts';

// If a change cost as much as all memories, this test would time out.
test('a poll in which 30,000 memories change is compared and committed', () => {
  const cursor = new WatchCursor(createWatchState(), 'https://api.example.com');
  for (const name of ['Stand-up', 'Renamed']) {
    const list = Array.from({ length: 30_000 }, (_item, index) => sampleListedMemory({ id: `mem_${index}`, name }));
    const steps = cursor.compare(list);
    for (const step of steps) cursor.commit(step);
    expect(steps.length).toBeGreaterThanOrEqual(30_000);
  }
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
