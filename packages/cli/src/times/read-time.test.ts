import { expect, test } from 'vitest';
import { readTime } from './read-time.ts';

// A Sunday, 13:30 in Berlin.
const now = new Date('2026-11-22T12:30:15.250Z');
const settings = { now, timeZone: 'Europe/Berlin', durations: 'past' } as const;

test.each([
  ['30m', '2026-11-22T12:00:15.250Z'],
  ['90s', '2026-11-22T12:28:45.250Z'],
  ['250ms', '2026-11-22T12:30:15.000Z'],
  ['720H', '2026-10-23T12:30:15.250Z'],
  ['30d', '2026-10-23T11:30:15.250Z'],
  ['5W', '2026-10-18T11:30:15.250Z'],
  ['sunday', '2026-11-21T23:00:00.000Z'],
])('reads %s', (text, expected) => {
  expect(readTime(text, { ...settings, limit: 'since' })).toEqual(new Date(expected));
});

test.each(['9999', '9999-12', '9999-12-31'])('uses the last instant of a date-time as the end of %s', (text) => {
  const timeZone = 'America/New_York';
  expect(readTime(text, { ...settings, timeZone, limit: 'until' })).toEqual(new Date('9999-12-31T23:59:59.999Z'));
});

test.each(['0d', '-1d', '1.5h', '7 d', '7x', '1y', '9999999999d', '999999999w', '800000d', '0000', 'soon'])(
  'refuses "%s"',
  (text) => {
    expect(readTime(text, { ...settings, limit: 'since' })).toBeUndefined();
  },
);

test('refuses a duration that ends after the last date-time', () => {
  expect(readTime('9999999d', { ...settings, limit: 'until', durations: 'future' })).toBeUndefined();
});
