/// <reference lib="esnext.temporal" />
import { afterEach, expect, test, vi } from 'vitest';
import { clockAt, firstInstantFrom, instantOf } from './local-clock.ts';
import { moveBySpan } from './move-by-span.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const samples = [-1440, -61, -60, -30, -1, 0, 1, 30, 59, 60, 119];

afterEach(() => void vi.unstubAllEnvs());

test('agrees with an independent calculation around every change of every clock from 1970 to 2037', () => {
  const wrong: string[] = [];
  const checked = new Set<string>();
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    vi.stubEnv('TZ', zone);
    for (const change of changesOf(zone)) {
      const offsets = [change - minuteMs, change].map((instant) => offsetAt(instant, zone));
      // Most zones share their changes with others.
      if (checked.size === checked.add(`${change}: ${offsets}`).size) continue;
      for (const minutes of samples) wrong.push(...differencesAt(change + minutes * minuteMs, zone));
    }
  }
  expect(wrong).toEqual([]);
  expect(checked.size).toBeGreaterThan(5_000);
});

/** V8 overlooks changes that are less than 19 days apart, as in Recife in October 2000. There are none after 2004. */
function changesOf(zone: string): number[] {
  const changes: number[] = [];
  let time = Temporal.Instant.from('1970-01-01T00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next');
  for (; time !== null && time.year <= 2037; time = time.getTimeZoneTransition('next')) {
    changes.push(time.epochMilliseconds);
  }
  return changes.filter((change) => changes.every((other) => !isTooClose(change, other)));
}

function isTooClose(change: number, other: number): boolean {
  return change !== other && change < Date.UTC(2005) && Math.abs(change - other) < 30 * dayMs;
}

/** A clock that is set back shows other times before its change than after it, so both are looked up. */
function differencesAt(instant: number, zone: string): string[] {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const weekBefore = moveBySpan(instant, { count: 1, unit: 'w' }, 'past', 'since');
  return [
    ...difference('clock', clockAt(instant), instant + offsetAt(instant, zone), { zone, instant }),
    ...difference('week', weekBefore, zoned.subtract({ weeks: 1 }).epochMilliseconds, { zone, instant }),
    ...differencesOf(instant + offsetAt(instant, zone), zone),
    ...differencesOf(instant + offsetAt(instant - 3 * 60 * minuteMs, zone), zone),
  ];
}

function offsetAt(instant: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

function differencesOf(clock: number, zone: string): string[] {
  const shown = Temporal.Instant.fromEpochMilliseconds(clock).toZonedDateTimeISO('UTC').toPlainDateTime();
  const first = shown.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const last = shown.toZonedDateTime(zone, { disambiguation: 'later' });
  const day = shown.toPlainDate().toZonedDateTime(zone);
  const midnight = clock - (((clock % dayMs) + dayMs) % dayMs);
  return [
    ...difference('first', instantOf(clock, 'first'), first.epochMilliseconds, { zone, instant: clock }),
    ...difference('last', instantOf(clock, 'last'), last.epochMilliseconds, { zone, instant: clock }),
    ...difference('day', firstInstantFrom(midnight), day.epochMilliseconds, { zone, instant: clock }),
  ];
}

function difference(what: string, actual: number, expected: number, at: { zone: string; instant: number }): string[] {
  if (actual === expected) return [];
  return [`${at.zone}, ${what} at ${new Date(at.instant).toISOString()}: ${actual} is not ${expected}`];
}
