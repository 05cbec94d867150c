import { expect, test } from 'vitest';
import { dateTimeShape } from './date-time.ts';

test.each([
  '2026-07-08T09:30:00Z',
  '2026-07-08T09:30:00.250Z',
  '2026-07-08T09:30:00.123456789Z',
  '2026-07-08T09:30:00+05:45',
  '2026-07-08T09:30:00',
  '2024-02-29T00:00:00Z',
])('%s is a date-time', (text) => {
  expect(dateTimeShape.safeParse(text)).toMatchObject({ success: true, data: text });
});

test.each(['2026-07-08', '09:30:00Z', '2026-02-29T00:00:00Z', '2026-07-08T24:30:00Z', 'yesterday', ''])(
  '"%s" is none',
  (text) => {
    expect(dateTimeShape.safeParse(text).success).toBe(false);
  },
);
