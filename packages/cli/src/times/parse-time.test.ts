import { beforeEach, expect, test, vi } from 'vitest';
import { parseTime } from './parse-time.ts';

// A Sunday, 13:30 in Berlin.
const now = new Date('2026-11-22T12:30:15.250Z');

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));

test.each([
  ['2026-11-01', '2026-10-31T23:00:00.000Z', '2026-11-01T23:00:00.000Z'],
  ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-02', '2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'],
  ['2026-12', '2026-11-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2026', '2025-12-31T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['0099', '0098-12-31T23:06:32.000Z', '0099-12-31T23:06:32.000Z'],
  ['today', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
  ['Yesterday', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
  ['sunday', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
  ['Mon', '2026-11-15T23:00:00.000Z', '2026-11-16T23:00:00.000Z'],
  ['SATURDAY', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
])('uses the start of %s for --since and the end for --until', (text, since, until) => {
  expect(iso(text, 'since')).toBe(since);
  expect(iso(text, 'until')).toBe(until);
});

test.each(['9999', '9999-12', '9999-12-31'])('uses the last instant of a date-time as the end of %s', (text) => {
  expect(iso(text, 'until')).toBe('9999-12-31T23:00:00.000Z');
  vi.stubEnv('TZ', 'America/New_York');
  expect(iso(text, 'until')).toBe('9999-12-31T23:59:59.999Z');
});

test('refuses a duration that ends after the last date-time', () => {
  expect(parseTime('9999999d', { limit: 'until', now, durations: 'future' })).toBeUndefined();
});

test.each([
  ['now', '2026-11-22T12:30:15.250Z'],
  ['2026-11-01T09:00', '2026-11-01T08:00:00.000Z'],
  ['2026-11-01 09:00:30', '2026-11-01T08:00:30.000Z'],
  ['2026-11-01t09:00:30.5', '2026-11-01T08:00:30.500Z'],
  ['2026-11-01 09:00z', '2026-11-01T09:00:00.000Z'],
  ['2026-11-01T09:00-05:30', '2026-11-01T14:30:00.000Z'],
  ['30m', '2026-11-22T12:00:15.250Z'],
  ['720H', '2026-10-23T12:30:15.250Z'],
  ['30d', '2026-10-23T11:30:15.250Z'],
  ['5W', '2026-10-18T11:30:15.250Z'],
])('parses %s as one instant', (text, expected) => {
  expect(iso(text, 'since')).toBe(expected);
  expect(iso(text, 'until')).toBe(expected);
});

test('uses the first occurrence of a repeated hour for --since, and the second for --until', () => {
  expect(iso('2026-10-25 02:30', 'since')).toBe('2026-10-25T00:30:00.000Z');
  expect(iso('2026-10-25 02:30', 'until')).toBe('2026-10-25T01:30:00.000Z');
});

test('moves a skipped time forward by the skip', () => {
  for (const limit of ['since', 'until'] as const) {
    expect(iso('2026-03-29 02:30', limit)).toBe('2026-03-29T01:30:00.000Z');
  }
});

test('starts a day at its first midnight, or at the first instant after a skipped one', () => {
  vi.stubEnv('TZ', 'America/Havana');
  expect(hours('2026-11-01')).toBe(25);
  vi.stubEnv('TZ', 'Africa/Cairo');
  expect(hours('2026-04-24')).toBe(23);
  expect(iso('2026-04-24', 'since')).toBe('2026-04-23T22:00:00.000Z');
  // The clock went from 23:30 of the day before to 00:30.
  vi.stubEnv('TZ', 'America/Toronto');
  expect(hours('1919-03-31')).toBe(23.5);
  expect(iso('1919-03-31', 'since')).toBe('1919-03-31T04:30:00.000Z');
  vi.stubEnv('TZ', 'Pacific/Apia');
  expect(hours('2011-12-30')).toBe(0);
});

test.each([
  '',
  'soon',
  'next friday',
  'tues',
  'tomorrow',
  '0d',
  '-1d',
  '1.5h',
  '7 d',
  '7',
  '7s',
  '1y',
  '9999999999d',
  '999999999w',
  '800000d',
  '2026-02-30',
  '2026-13',
  '2026-00-01',
  '26-11-01',
  '2026-1-1',
  '2026-11-01T24:00',
  '2026-11-01T09',
  '2026-11-01T09:60',
  '2026-11-01T09:00:60',
  '2026-11-01T09:00:00,5',
  '2026-11-01T09:00:00.1234',
  '2026-11-01T09:00+0100',
  '2026-11-01T09:00+24:00',
  '2026-11-01Z',
  '2026-11-01  09:00',
  ' 2026-11-01',
  '1795000000',
])('rejects "%s"', (text) => {
  expect(parseTime(text, { limit: 'since', now })).toBeUndefined();
});

function iso(text: string, limit: 'since' | 'until'): string | undefined {
  return parseTime(text, { limit, now })?.toISOString();
}

function hours(day: string): number {
  const [since = 0, until = 0] = (['since', 'until'] as const).map((limit) =>
    parseTime(day, { limit, now })?.getTime(),
  );
  return (until - since) / 3_600_000;
}
