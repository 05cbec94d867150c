import { beforeEach, expect, test, vi } from 'vitest';
import { parseExpiry } from '../commands/keys.ts';

const now = new Date('2026-03-01T08:00:00Z');

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));

test.each([
  ['12h', '2026-03-01T20:00:00.000Z'],
  ['30m', '2026-03-01T08:30:00.000Z'],
  ['2027-01-31', '2027-01-31T23:00:00.000Z'],
  ['2028-02', '2028-02-29T23:00:00.000Z'],
  ['2027-01-31 12:00', '2027-01-31T11:00:00.000Z'],
  ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00:30.5+02:00', '2027-01-31T10:00:30.500Z'],
  ['today', '2026-03-01T23:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(parseExpiry(text, now).toISOString()).toBe(expected);
});

test('keeps the local time of the day for an expiry in days', () => {
  expect(parseExpiry('90d', now).toISOString()).toBe('2026-05-30T07:00:00.000Z');
});

test.each([
  ...['soon', '5', '5y', '', '0d', '2027-13-01', '2027-02-30', '2027-02-29T12:00Z', '99999999999999d', '4000000d'],
])('rejects "%s"', (text) => {
  expect(() => parseExpiry(text, now)).toThrow(
    `Failed to read --expires: "${text}" is not a time. Pass one such as 2027-01-31, "2027-01-31 12:00" or 90d.`,
  );
});

test.each(['2026-03-01T08:00Z', '2020-01-01', 'yesterday', 'now'])('rejects %s, which is in the past', (text) => {
  expect(() => parseExpiry(text, now)).toThrow(
    `Failed to read --expires: "${text}" is in the past. Pass a later time.`,
  );
});
