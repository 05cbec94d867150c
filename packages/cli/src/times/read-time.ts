import { readTimeRange } from '@memory-read/client/search';
import { moveBySpan } from './move-by-span.ts';
import { parseSpan } from './parse-span.ts';

export interface TimeOptions {
  /** Use of the time: a day means its beginning for `since`, and its end for `until`. */
  limit: 'since' | 'until';
  /** Current time. */
  now: Date;
  timeZone: string;
  /** Direction of a duration such as `7d`, from now. */
  durations: 'past' | 'future';
}

/** Last instant that has a date-time. The end of its day is in the year 10000. */
const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Reads a time, or a duration such as `7d`; undefined if the text is neither. */
export function readTime(text: string, { limit, now, timeZone, durations }: TimeOptions): Date | undefined {
  const span = parseSpan(text);
  try {
    const instant =
      span === undefined
        ? Math.min(readTimeRange({ [limit]: text }, { timeZone, now })[limit], lastInstant)
        : moveBySpan(now.getTime(), span, {
            timeZone,
            direction: durations,
            choice: limit === 'since' ? 'first' : 'last',
          });
    const year = new Date(instant).getUTCFullYear();
    return year >= 0 && year <= 9999 ? new Date(instant) : undefined;
  } catch {
    return undefined;
  }
}
