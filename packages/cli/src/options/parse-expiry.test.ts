import { expect, test } from 'vitest';
import { parseExpiry } from './parse-expiry.ts';

const now = new Date('2026-03-01T08:00:00Z');

test.each([
  ['90d', '2026-05-30T08:00:00.000Z'],
  ['12h', '2026-03-01T20:00:00.000Z'],
  ['30m', '2026-03-01T08:30:00.000Z'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2027-01-31T12:00', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00:30.5+02:00', '2027-01-31T10:00:30.500Z'],
])('%s is %s', (text, expected) => {
  expect(parseExpiry(text, now).toISOString()).toBe(expected);
});

test.each([
  'soon',
  '5',
  '5y',
  '',
  '2027-13-01',
  '2027-02-30',
  '2027-02-29T12:00Z',
  '2027-04-31T12:00+02:00',
  '99999999999999d',
  '4000000d',
])('%s is refused', (text) => {
  expect(() => parseExpiry(text, now)).toThrow(/^Failed to read --expires .* neither a valid date-time nor a duration/);
});

test.each(['2026-03-01T08:00Z', '0d', '2020-01-01'])('%s is refused because it is over', (text) => {
  expect(() => parseExpiry(text, now)).toThrow(/the expiry date is in the past/);
});
