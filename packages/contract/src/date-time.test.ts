import { expect, test } from 'vitest';
import { isDateTime, losesDigits, normalizeDateTime, parseDateTime } from './date-time.ts';

const noon = Date.UTC(2026, 2, 1, 12);

test.each([
  ['2026-03-01T12:00', noon],
  ['2026-03-01T12:00:00', noon],
  ['2026-03-01T12:00:00Z', noon],
  ['2026-03-01T12:00:00.5', noon + 500],
  ['2026-03-01T12:00:00,0019Z', noon + 1],
  ['2026-03-01T14:00:00+02', noon],
  ['2026-03-01T14:30:00+0230', noon],
  ['2026-03-01T08:30-03:30', noon],
  ['2026-03-01T17:45:00+05:45', noon],
  ['2026-03-01T12:00:00.123456789Z', noon + 123],
  ['2026-12-31T23:59:59Z', Date.UTC(2026, 11, 31, 23, 59, 59)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
])('%s is an instant', (text, instant) => {
  expect(parseDateTime(text)).toBe(instant);
  expect(isDateTime(text)).toBe(true);
  expect(normalizeDateTime(text)).toBe(new Date(instant).toISOString());
});

test.each([
  ...['', '1', 'soon', '2026', '2026-03-01', '2026-03-01 12:00:00', '2026-03-01t12:00:00z', 'March 1, 2026 12:00'],
  ...[
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
  ],
  ...['2026-03-01T24:00:00Z', '2026-03-01T12:60:00Z', '2026-03-01T12:00:60Z', '2026-03-01T12:00:00+24:00'],
  ...['+002026-03-01T12:00:00Z', '2026-03-01T12:00:00Z\n', ' 2026-03-01T12:00:00Z'],
])('%j is none', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
  expect(isDateTime(text)).toBe(false);
  expect(normalizeDateTime(text)).toBeUndefined();
  expect(losesDigits(text)).toBe(false);
});
