import { expect, test } from 'vitest';
import { dateTimeShape } from './date-time.ts';

test.each([
  '2026-07-08T09:30:00Z',
  '2026-07-08T09:30:00.250Z',
  '2026-07-08T09:30:00.123456789Z',
  '2026-07-08T09:30:00+05:45',
  '2026-07-08T09:30:00',
  '2026-07-08T09:30Z',
  '2026-07-08T09:30:00+0545',
  '2026-07-08T09:30:00-03',
  '2026-07-08T09:30:00,5Z',
  '2026-12-31T23:59:59Z',
  '2024-02-29T00:00:00Z',
])('%s is a date-time', (text) => {
  expect(dateTimeShape.safeParse(text)).toMatchObject({ success: true, data: text });
});

test.each([
  '2026-07-08',
  '09:30:00Z',
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-07-08T09:30:60Z',
  '2026-07-08T09:30:00+24:00',
  '2026-07-08t09:30:00z',
  '2026-07-08 09:30:00Z',
  '2026-07-08T24:30:00Z',
  'yesterday',
  '',
])('"%s" is none', (text) => {
  expect(dateTimeShape.safeParse(text).success).toBe(false);
});
