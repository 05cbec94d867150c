/// <reference lib="esnext.temporal" />
import { expect, test, vi } from 'vitest';
import { clockIn, findTimeZone, systemTimeZone, type ZoneClock } from './time-zone.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const samples = [-1440, -61, -30, -1, 0, 30, 119];

test('agrees with an independent calculation around every change of every clock from 1970 to 2027', () => {
  const wrong: string[] = [];
  const checked = new Set<string>();
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const clock = clockIn(zone);
    for (const change of changesOf(zone)) {
      const offsets = [change - minuteMs, change].map((instant) => offsetAt(instant, zone));
      // Most zones share their changes with others.
      if (checked.size === checked.add(`${change}: ${offsets}`).size) continue;
      for (const minutes of samples) wrong.push(...differencesAt(change + minutes * minuteMs, { zone, clock }));
    }
  }
  expect(wrong).toEqual([]);
  expect(checked.size).toBeGreaterThan(5_000);
});

function changesOf(zone: string): number[] {
  const changes: number[] = [];
  let time = Temporal.Instant.from('1970-01-01T00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next');
  for (; time !== null && time.year <= 2027; time = time.getTimeZoneTransition('next')) {
    changes.push(time.epochMilliseconds);
  }
  return changes;
}

interface Zone {
  zone: string;
  clock: ZoneClock;
}

/** A clock that is set back shows other times before its change than after it, so both are looked up. */
function differencesAt(instant: number, at: Zone): string[] {
  const { zone, clock } = at;
  const time = instant + offsetAt(instant, zone);
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const weekBefore = clock.instantOf(clock.timeAt(instant) - 7 * dayMs, 'first');
  return [
    ...difference('clock', clock.timeAt(instant), time, { zone, instant }),
    ...difference('week', weekBefore, zoned.subtract({ weeks: 1 }).epochMilliseconds, { zone, instant }),
    ...differencesOf(time, at),
    ...differencesOf(instant + offsetAt(instant - 3 * 60 * minuteMs, zone), at),
  ];
}

function offsetAt(instant: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

function differencesOf(time: number, { zone, clock }: Zone): string[] {
  const shown = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO('UTC').toPlainDateTime();
  const first = shown.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const last = shown.toZonedDateTime(zone, { disambiguation: 'later' });
  const day = shown.toPlainDate().toZonedDateTime(zone);
  const midnight = time - (((time % dayMs) + dayMs) % dayMs);
  return [
    ...difference('first', clock.instantOf(time, 'first'), first.epochMilliseconds, { zone, instant: time }),
    ...difference('last', clock.instantOf(time, 'last'), last.epochMilliseconds, { zone, instant: time }),
    ...difference('day', clock.firstInstantFrom(midnight), day.epochMilliseconds, { zone, instant: time }),
  ];
}

function difference(what: string, actual: number, expected: number, at: { zone: string; instant: number }): string[] {
  if (actual === expected) return [];
  return [`${at.zone}, ${what} at ${new Date(at.instant).toISOString()}: ${actual} is not ${expected}`];
}

test.each([
  ['Europe/Berlin', '2026-03-01T08:00:30Z', '2026-03-01 09:00'],
  ['Europe/Berlin', '2026-10-24T23:59Z', '2026-10-25 01:59'],
  ['Europe/Berlin', '2026-10-25T00:30Z', '2026-10-25 02:30+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30Z', '2026-10-25 02:30+01:00'],
  ['Europe/Berlin', '2026-10-25T02:00Z', '2026-10-25 03:00'],
  ['America/New_York', '2026-11-01T06:30Z', '2026-11-01 01:30-05:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00Z', '2026-04-05 01:30+10:30'],
  ['UTC', '0007-03-01T08:00Z', '0007-03-01 08:00'],
])('in %s, %s is formatted as %s', (zone, text, expected) => {
  expect(clockIn(zone).format(Date.parse(text))).toBe(expected);
});

test('finds a time zone whatever the case of its name, and refuses an offset and everything else', () => {
  expect(findTimeZone('europe/berlin')).toBe('Europe/Berlin');
  for (const name of ['Mars/Olympus', '', '+01:00', 'Europe/Berlin ', 7, null, undefined, ['UTC']]) {
    expect(findTimeZone(name)).toBeUndefined();
  }
});

test.each([
  ['America/New_York', 'America/New_York'],
  ['', 'UTC'],
  ['Mars/Olympus', 'UTC'],
  ['UTC+3', 'Etc/GMT+3'],
  ['UTC-9', 'Etc/GMT-9'],
])('the time zone of the system with TZ=%s is %s', (TZ, expected) => {
  vi.stubEnv('TZ', TZ);
  expect(systemTimeZone()).toBe(expected);
  expect(clockIn(systemTimeZone()).timeAt(0)).toBe(0 - new Date(0).getTimezoneOffset() * minuteMs);
  vi.unstubAllEnvs();
});
