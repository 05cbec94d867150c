import { clockIn, findTimeZone, parseDateTime, type ZoneClock } from '@memory-read/contract/date-time';

/** Limits of {@link readTimeRange}. An absent one does not limit. */
export interface TimeLimits {
  /** Earliest start. A day, a month or a year means its beginning. */
  since?: Date | string | undefined;
  /** Time before which the start must be. A day, a month or a year means its end, so it is in the range. */
  until?: Date | string | undefined;
}

/** Options of {@link readTimeRange}. */
export interface TimeOptions {
  /** IANA time zone of texts without an offset, such as `Europe/Berlin`. Default: `UTC`. */
  timeZone?: string | undefined;
  /** Current time. With it, `now`, `today`, `yesterday` and weekdays are times too. Default: none. */
  now?: Date | undefined;
}

/** A range of starts, in milliseconds since 1970: `since <= start < until`. */
export interface TimeRange {
  /** First instant of the range; `-Infinity` without a limit. */
  since: number;
  /** First instant after the range; `Infinity` without a limit. */
  until: number;
}

/**
 * Reads the two limits of a range of times.
 *
 * A text is `2026`, `2026-11`, `2026-11-24`, `2026-11-24T09:00` or any other ISO 8601 date-time, also with a space for
 * the `T`. An offset in the text is used. Without one, the time is of `timeZone`. A day can have 23 or 25 hours there.
 * If the clock skips a time, it is moved forward by the skip. If the clock shows a time twice, `since` is the first
 * and `until` the second one. A weekday such as `tuesday` or `tue` is the last one, today included.
 *
 * @example
 * ```ts
 * const { since, until } = readTimeRange({ since: '2026-10-25', until: '2026-10-25' }, { timeZone: 'Europe/Berlin' });
 * console.log((until - since) / 3_600_000); // 25, because the clock is set back
 * ```
 *
 * @throws {@link https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/RangeError | RangeError} if a limit is not a time, or `timeZone` is unknown. The message names the option.
 */
export function readTimeRange(limits: TimeLimits, options: TimeOptions = {}): TimeRange {
  const { timeZone = 'UTC', now } = options;
  // Finding a zone takes longer than a search of few memories.
  if (timeZone !== 'UTC' && findTimeZone(timeZone) === undefined) {
    throw new RangeError(
      'Failed to read timeZone: it is not a time zone. Pass a name of the IANA database, such as Europe/Berlin.',
    );
  }
  const read = (limit: Limit) => {
    const value = limits[limit];
    if (value === undefined) return limit === 'since' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    const instant = value instanceof Date ? value.getTime() : readText(value, limit, { timeZone, now });
    if (instant !== undefined && !Number.isNaN(instant)) return instant;
    throw new RangeError(`Failed to read ${limit}: it is not a time. Pass one such as 2026-11-24.`);
  };
  return { since: read('since'), until: read('until') };
}

type Limit = keyof TimeLimits;

function readText(
  text: unknown,
  limit: Limit,
  { timeZone, now }: { timeZone: string; now: Date | undefined },
): number | undefined {
  if (typeof text !== 'string') return undefined;
  const lower = text.toLowerCase();
  if (now !== undefined && lower === 'now') return now.getTime();
  const clock = clockIn(timeZone);
  const [, day, time, offset] = /^(\d{4}-\d\d-\d\d)[t ](\d\d:.*?)(z|[+-]\d\d(?::?\d\d)?)?$/.exec(lower) ?? [];
  if (day !== undefined) {
    const shown = parseDateTime(`${day}T${time}${offset?.toUpperCase() ?? ''}`);
    return shown === undefined || offset !== undefined
      ? shown
      : clock.instantOf(shown, limit === 'since' ? 'first' : 'last');
  }
  const [first, afterLast] = calendarPeriod(lower) ?? (now && namedDay(lower, clock, now)) ?? [];
  const shown = limit === 'since' ? first : afterLast;
  return shown === undefined ? undefined : clock.firstInstantFrom(shown);
}

/** Times of a clock. */
type Period = [first: number, afterLast: number];

function calendarPeriod(text: string): Period | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  const first = parseDateTime(`${year}-${month ?? '01'}-${day ?? '01'}T00:00Z`);
  if (first === undefined) return undefined;
  const afterLast = new Date(first);
  if (day !== undefined) afterLast.setUTCDate(afterLast.getUTCDate() + 1);
  else if (month !== undefined) afterLast.setUTCMonth(afterLast.getUTCMonth() + 1);
  else afterLast.setUTCFullYear(afterLast.getUTCFullYear() + 1);
  return [first, afterLast.getTime()];
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const dayMs = 86_400_000;

function namedDay(text: string, clock: ZoneClock, now: Date): Period | undefined {
  const time = clock.timeAt(now.getTime());
  const today = Math.floor(time / dayMs);
  const weekday = weekdays.findIndex((name) => text === name || text === name.slice(0, 3));
  // The first day of 1970 was a Thursday.
  const daysAgo = weekday === -1 ? ['today', 'yesterday'].indexOf(text) : (today + 4 - weekday + 7) % 7;
  if (daysAgo === -1) return undefined;
  const periodOf = (day: number): Period => [day * dayMs, (day + 1) * dayMs];
  const period = periodOf(today - daysAgo);
  // A zone that moves over the date line skips a day.
  const isSkipped = clock.firstInstantFrom(period[0]) === clock.firstInstantFrom(period[1]);
  return isSkipped ? periodOf(today - daysAgo - (weekday === -1 ? 1 : 7)) : period;
}
