import { expect, test } from 'vitest';
import { parseRetryAfter, parseServerDate } from './retry-after.ts';

const now = new Date('2026-11-20T10:00:00Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 1.5 ', 1500],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ['Friday, 20-Nov-26 10:00:30 GMT', 30_000],
  ['Fri Nov 20 10:00:30 2026', 30_000],
  ['Thu Nov  5 10:00:30 2026', 0],
  ['Tue Dec  1 10:00:00 2026', 11 * 86_400_000],
  ['2, 2', 2000],
  ['2,5', 5000],
  ['Fri, 20 Nov 2026 10:00:30 GMT, Fri, 20 Nov 2026 10:00:40 GMT', 40_000],
  ['2, Friday, 20-Nov-26 10:00:30 GMT', 30_000],
  ['Fri Nov 20 10:00:30 2026, 2', 30_000],
  ['soon, 5, +9', 5000],
  ['+2, 2s', undefined],
  ['Fri Nov 20 10:00:30', undefined],
  ['2026-11-20T10:00:30Z', undefined],
  ['-1', undefined],
  ['1e3', undefined],
  ['soon', undefined],
  ['', undefined],
])('reads Retry-After: %s as %s ms', (value, expected) => {
  expect(parseRetryAfter(new Headers({ 'retry-after': value }), now)).toBe(expected);
  expect(parseRetryAfter(new Headers(), now)).toBeUndefined();
});

test("a Retry-After date is measured by the server's clock, not by a local one that is wrong", () => {
  const headers = new Headers({
    date: 'Fri, 20 Nov 2020 10:00:00 GMT',
    'retry-after': 'Fri, 20 Nov 2020 10:00:05 GMT',
  });
  expect(parseRetryAfter(headers, now)).toBe(5000);
});

test('ignores an invalid Date', () => {
  expect(parseServerDate(new Headers({ date: 'yesterday' }))).toBeUndefined();
  expect(parseServerDate(new Headers())).toBeUndefined();
});
