import { expect, test, vi } from 'vitest';
import { formatDateTime } from './format-date-time.ts';

test.each([
  ['Europe/Berlin', '2026-03-01T08:00:30Z', '2026-03-01 09:00'],
  ['Europe/Berlin', '2026-10-24T23:59Z', '2026-10-25 01:59'],
  ['Europe/Berlin', '2026-10-25T00:30Z', '2026-10-25 02:30+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30Z', '2026-10-25 02:30+01:00'],
  ['Europe/Berlin', '2026-10-25T02:00Z', '2026-10-25 03:00'],
  ['America/New_York', '2026-11-01T06:30Z', '2026-11-01 01:30-05:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z', '2026-04-05 01:30+10:30'],
  ['UTC', '0007-03-01T08:00', '0007-03-01 08:00'],
  ['UTC', 'yesterday', 'yesterday'],
])('in %s, %s is shown as %s', (zone, text, expected) => {
  vi.stubEnv('TZ', zone);
  expect(formatDateTime(text)).toBe(expected);
  vi.unstubAllEnvs();
});
