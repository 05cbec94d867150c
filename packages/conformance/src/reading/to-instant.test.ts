import { expect, test } from 'vitest';
import { toInstant } from './to-instant.ts';

const start = Date.UTC(2026, 2, 1, 8);

test.each([
  ['2026-03-01T08:00:00Z', start],
  ['2026-03-01T08:00', start],
  ['2026-03-01T10:00:00+02', start],
  ['2026-03-01T10:30:00+0230', start],
  ['2026-03-01T06:00:00,25-02:00', start + 250],
  ['2026-03-01T08:00:00.1235Z', start + 123.5],
  ['2026-03-01', undefined],
  ['2026-03-01T25:00:00Z', undefined],
  [1_772_352_000, undefined],
])('%s is the instant %s', (text, instant) => {
  expect(toInstant(text)).toBe(instant);
});
