import { expect, test } from 'vitest';
import { formatDuration, formatPosition } from './format-duration.ts';

test.each([
  [0, '0 s', '0:00'],
  [59.4, '59 s', '0:59'],
  [300, '5 min', '5:00'],
  [3600, '1 h', '1:00:00'],
  [10_000, '2 h 47 min', '2:46:40'],
  [-1, '0 s', '0:00'],
])('%i seconds are read as %s and shown by a player as %s', (seconds, duration, position) => {
  expect(formatDuration(seconds)).toBe(duration);
  expect(formatPosition(seconds)).toBe(position);
});
