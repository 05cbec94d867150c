import { expect, test } from 'vitest';
import { createFakeClock } from './create-fake-clock.ts';

test('the clock stands still until it is moved', () => {
  const clock = createFakeClock('2026-03-01T09:00:00Z');
  expect(clock.now().toISOString()).toBe('2026-03-01T09:00:00.000Z');
  clock.advance(3_600_000);
  expect(clock.now().toISOString()).toBe('2026-03-01T10:00:00.000Z');
  clock.set(0);
  expect(clock.now().getTime()).toBe(0);
});

test('changing a date that was passed or returned does not move the clock', () => {
  const start = new Date(1_000);
  const clock = createFakeClock(start);
  start.setTime(5);
  clock.now().setTime(6);
  expect(clock.now().getTime()).toBe(1_000);
});

test('rejects an invalid date', () => {
  expect(() => createFakeClock('soon')).toThrow('soon is not a date');
  expect(() => createFakeClock(0).advance(Number.NaN)).toThrow(RangeError);
});
