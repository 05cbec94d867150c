import { parseDateTime } from '@memory-read/contract/date-time';
import { clockAt, firstInstantFrom, instantOf } from './local-clock.ts';
import { moveBySpan } from './move-by-span.ts';
import { parseSpan } from './parse-span.ts';

/** Use of a time: a day means its beginning for `since`, and its end for `until`. */
export type TimeLimit = 'since' | 'until';

export interface TimeOptions {
  limit: TimeLimit;
  /** Current time. */
  now: Date;
  /** Direction of a duration such as `7d`, from now. Default: `past`. */
  durations?: 'past' | 'future' | undefined;
}

/**
 * Parses a time such as `2026-11-01`, `2026-11-01 09:00`, `yesterday`, `monday` or `7d`, in the time zone of the
 * process; undefined if the text is not a time.
 */
export function parseTime(text: string, { limit, now, durations = 'past' }: TimeOptions): Date | undefined {
  const lower = text.toLowerCase();
  const span = parseSpan(lower);
  const instant =
    span === undefined
      ? (parseNow(lower, now) ?? parseClock(lower, limit) ?? parsePeriod(lower, limit, now))
      : moveBySpan(now.getTime(), span, durations, limit);
  const date = new Date(instant ?? Number.NaN);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date : undefined;
}

function parseNow(text: string, now: Date): number | undefined {
  return text === 'now' ? now.getTime() : undefined;
}

const clockPattern = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(z|[+-]\d{2}:\d{2})?$/;

/** Parses a date with a time of the day. */
function parseClock(text: string, limit: TimeLimit): number | undefined {
  const [, day, time, offset] = clockPattern.exec(text) ?? [];
  if (day === undefined) return undefined;
  const clock = parseDateTime(`${day}T${time}${(offset ?? 'z').toUpperCase()}`);
  if (clock === undefined || offset !== undefined) return clock;
  return instantOf(clock, limit === 'since' ? 'first' : 'last');
}

/** Last instant that has a date-time. The end of its day is in the year 10000. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Parses a day, a month or a year. */
function parsePeriod(text: string, limit: TimeLimit, now: Date): number | undefined {
  const [first, last] = namedDay(text, now) ?? calendarPeriod(text) ?? [];
  const clock = limit === 'since' ? first : last;
  return clock === undefined ? undefined : Math.min(firstInstantFrom(clock), lastInstant);
}

type Period = [first: number, afterLast: number];

function calendarPeriod(text: string): Period | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  const first = parseDateTime(`${year}-${month ?? '01'}-${day ?? '01'}T00:00Z`);
  if (first === undefined) return undefined;
  const afterLast = new Date(first);
  if (day !== undefined) afterLast.setUTCDate(afterLast.getUTCDate() + 1);
  else if (month !== undefined) afterLast.setUTCMonth(afterLast.getUTCMonth() + 1);
  else afterLast.setUTCFullYear(afterLast.getUTCFullYear() + 1);
  return [first, afterLast.getTime()];
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function namedDay(text: string, now: Date): Period | undefined {
  const daysAgo = daysSince(text, now);
  if (daysAgo === undefined) return undefined;
  const clock = new Date(clockAt(now.getTime()));
  clock.setUTCHours(0, 0, 0, 0);
  const first = clock.setUTCDate(clock.getUTCDate() - daysAgo);
  return [first, clock.setUTCDate(clock.getUTCDate() + 1)];
}

function daysSince(text: string, now: Date): number | undefined {
  if (text === 'today') return 0;
  if (text === 'yesterday') return 1;
  const weekday = weekdays.findIndex((name) => text === name || text === name.slice(0, 3));
  return weekday === -1 ? undefined : (now.getDay() - weekday + 7) % 7;
}
