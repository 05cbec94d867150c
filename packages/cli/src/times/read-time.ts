import { readTimeRange } from '@memory-read/client/search';
import { clockIn } from '@memory-read/contract/date-time';
import { parseSpan, type Span, unitMs } from './parse-span.ts';

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

interface Move {
  timeZone: string;
  direction: 'past' | 'future';
  /** Instant of a time that the clock shows twice. */
  choice: 'first' | 'last';
}

/**
 * Returns the instant that is a duration before or after another.
 *
 * Seven days before Monday 09:00 is Monday 09:00, also if the clock was changed between them.
 */
function moveBySpan(instant: number, { count, unit }: Span, { timeZone, direction, choice }: Move): number {
  const move = (direction === 'past' ? -1 : 1) * count * unitMs[unit];
  if (unit !== 'd' && unit !== 'w') return instant + move;
  const clock = clockIn(timeZone);
  return clock.instantOf(clock.timeAt(instant) + move, choice);
}
