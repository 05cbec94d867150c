import { expect, test } from 'vitest';
import { isInRange } from './is-in-range.ts';

const since = new Date('2026-11-01T00:00:00Z');
const until = new Date('2026-11-02T00:00:00Z');

test.each([
  ['2026-10-31T23:59:59.999Z', false, true],
  ['2026-11-01T00:00:00Z', true, true],
  ['2026-11-01T23:59:59.999', true, true],
  ['2026-11-02T01:00:00+01:00', true, false],
  ['yesterday', false, false],
])('since <= %s is %s, and before until is %s', (text, isSince, isUntil) => {
  expect(isInRange(text, { since })).toBe(isSince);
  expect(isInRange(text, { until })).toBe(isUntil);
  expect(isInRange(text, { since, until })).toBe(isSince && isUntil);
  expect(isInRange(text, {})).toBe(true);
});
