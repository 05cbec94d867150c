import { expect, test } from 'vitest';
import { readTimeRange } from './read-time-range.ts';

// A Sunday, 13:30 in Berlin.
const now = new Date('2026-11-22T12:30:15.250Z');
const berlin = { timeZone: 'Europe/Berlin', now };

test.each([
  ['2026-11-01', '2026-10-31T23:00:00.000Z', '2026-11-01T23:00:00.000Z'],
  ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-02', '2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'],
  ['2026-12', '2026-11-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2026', '2025-12-31T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['0099', '0098-12-31T23:06:32.000Z', '0099-12-31T23:06:32.000Z'],
  ['9999', '9998-12-31T23:00:00.000Z', '9999-12-31T23:00:00.000Z'],
  ['today', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
  ['Yesterday', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
  ['sunday', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
  ['Mon', '2026-11-15T23:00:00.000Z', '2026-11-16T23:00:00.000Z'],
  ['SATURDAY', '2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
  // The clock shows this hour twice.
  ['2026-10-25 02:30', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
])('since %s is its start, and until its end', (text, since, until) => {
  expect(iso(text, berlin)).toEqual([since, until]);
});

test.each([
  ['now', '2026-11-22T12:30:15.250Z'],
  ['2026-11-01T09:00', '2026-11-01T08:00:00.000Z'],
  ['2026-11-01 09:00:30', '2026-11-01T08:00:30.000Z'],
  ['2026-11-01t09:00:30.5', '2026-11-01T08:00:30.500Z'],
  ['2026-11-01T09:00:30,1234567', '2026-11-01T08:00:30.123Z'],
  ['2026-11-01 09:00z', '2026-11-01T09:00:00.000Z'],
  ['2026-11-01T09:00-05:30', '2026-11-01T14:30:00.000Z'],
  ['2026-11-01T09:00:00.5+0100', '2026-11-01T08:00:00.500Z'],
  ['2026-11-01T09:00+01', '2026-11-01T08:00:00.000Z'],
  // The clock skips this hour.
  ['2026-03-29 02:30', '2026-03-29T01:30:00.000Z'],
])('%s is one instant', (text, expected) => {
  expect(iso(text, berlin)).toEqual([expected, expected]);
});

test.each([
  ['UTC', '2026-11-01', 24, '2026-11-01T00:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-01', 24, '2026-10-31T18:30:00.000Z'],
  ['America/Havana', '2026-11-01', 25, '2026-11-01T04:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', 23, '2026-04-23T22:00:00.000Z'],
  ['America/Sao_Paulo', '2018-11-04', 23, '2018-11-04T03:00:00.000Z'],
  ['America/Sao_Paulo', '2018-02-17', 25, '2018-02-17T02:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05', 24.5, '2026-04-04T13:00:00.000Z'],
  // The clock went from 23:30 of the day before to 00:30.
  ['America/Toronto', '1919-03-31', 23.5, '1919-03-31T04:30:00.000Z'],
  ['Pacific/Apia', '2011-12-29', 24, '2011-12-29T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', 0, '2011-12-30T10:00:00.000Z'],
])('in %s, %s has %d hours and starts at %s', (timeZone, day, hours, start) => {
  const { since, until } = readTimeRange({ since: day, until: day }, { timeZone });
  expect([(until - since) / 3_600_000, new Date(since).toISOString()]).toEqual([hours, start]);
});

test.each([
  ['yesterday', '2011-12-29'],
  ['friday', '2011-12-23'],
  ['saturday', '2011-12-31'],
])('in a zone that skipped Friday, 30 December, %s is %s', (word, day) => {
  const apia = { timeZone: 'Pacific/Apia', now: new Date('2011-12-31T00:00:00Z') };
  expect(iso(word, apia)).toEqual(iso(day, apia));
});

test.each([
  ['2026-11-24T01:00:00Z', 'tuesday', 'UTC', '2026-11-24'],
  ['2026-11-24T01:00:00Z', 'tuesday', 'America/New_York', '2026-11-17'],
  ['2026-11-24T01:00:00Z', 'today', 'America/New_York', '2026-11-23'],
  ['2026-11-23T16:00:00Z', 'yesterday', 'Asia/Tokyo', '2026-11-23'],
])('at %s, %s in %s is %s', (instant, word, timeZone, day) => {
  expect(iso(word, { timeZone, now: new Date(instant) })).toEqual(iso(day, { timeZone }));
});

test('reads a Date as it is, a text as UTC by default, and an absent limit as none', () => {
  expect(readTimeRange({})).toEqual({ since: -Infinity, until: Infinity });
  expect(readTimeRange({ since: now, until: now }, berlin)).toEqual({ since: Number(now), until: Number(now) });
  expect(iso('2026-11-24')).toEqual(['2026-11-24T00:00:00.000Z', '2026-11-25T00:00:00.000Z']);
});

test.each(['now', 'today', 'Yesterday', 'monday', 'tue'])('without now, %s is not a time', (since) => {
  expect(() => readTimeRange({ since })).toThrow(notATime('since'));
});

test.each([
  ...['', 'soon', 'next friday', 'tues', 'tomorrow', '7d', '12h', '7', '1795000000', '26-11-01', '2026-1-1', '2026-13'],
  ...['2026-02-30', '2026-00-01', '2026-W48', '2026-11-01T24:00', '2026-11-01T09', '2026-11-01T09:60', '2026-11-01Z'],
  ...['2026-11-01T09:00:60', '2026-11-01T09:00+24:00', '2026-11-01  09:00', ' 2026-11-01', '2026-11-01T09:00 Z'],
  ...[null, 2026, {}, new Date(Number.NaN)],
])('%j is not a time', (value) => {
  for (const limit of ['since', 'until']) {
    expect(() => readTimeRange({ [limit]: value }, berlin)).toThrow(notATime(limit));
  }
});

test.each(['Mars/Olympus', '', '+01:00', 'Europe/Berlin ', null])('%j is not a time zone', (timeZone) => {
  expect(() => readTimeRange({}, { timeZone: timeZone as string })).toThrow(
    new RangeError(
      'Failed to read timeZone: it is not a time zone. Pass a name of the IANA database, such as Europe/Berlin.',
    ),
  );
});

function iso(text: string, options?: { timeZone: string; now?: Date }): string[] {
  const { since, until } = readTimeRange({ since: text, until: text }, options);
  return [since, until].map((instant) => new Date(instant).toISOString());
}

function notATime(limit: string): RangeError {
  return new RangeError(`Failed to read ${limit}: it is not a time. Pass one such as 2026-11-24.`);
}
