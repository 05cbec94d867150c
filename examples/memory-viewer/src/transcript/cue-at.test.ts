import { expect, test } from 'vitest';
import { cueAt } from './cue-at.ts';

const cues = [1000, 2000, 2000, 5000].map((start, segment) => ({
  start,
  end: start + 1,
  speaker: 'A',
  text: '',
  segment,
}));

test.each([
  [0, -1],
  [979, -1],
  [985, 0],
  [1999, 2],
  [4000, 2],
  [99_000, 3],
])('after %i ms the current cue is %i', (time, index) => {
  expect(cueAt(cues, time)).toBe(index);
});

test('without cues there is no current one', () => {
  expect(cueAt([], 1000)).toBe(-1);
});
