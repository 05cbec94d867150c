import { expect, test, vi } from 'vitest';
import { formatDateTime } from './format-date-time.ts';

test.each([
  ['Europe/Berlin', '2026-10-24T23:59Z', '2026-10-25 01:59'],
  ['America/New_York', '2026-11-01T06:30Z', '2026-11-01 01:30-05:00'],
  ['no zone', '2026-11-01T06:30', '2026-11-01 06:30'],
  ['UTC', 'yesterday', 'yesterday'],
])('in %s, %s is shown as %s', (zone, text, expected) => {
  vi.stubEnv('TZ', zone);
  expect(formatDateTime(text)).toBe(expected);
  vi.unstubAllEnvs();
});
