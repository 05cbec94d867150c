import { clockIn } from '@memory-read/contract/date-time';
import type { Span } from './parse-span.ts';

const exactMs = { m: 60_000, h: 3_600_000 };
const clockMs = { d: 86_400_000, w: 7 * 86_400_000 };

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
export function moveBySpan(instant: number, { count, unit }: Span, { timeZone, direction, choice }: Move): number {
  const sign = direction === 'past' ? -1 : 1;
  if (unit === 'm' || unit === 'h') return instant + sign * count * exactMs[unit];
  const clock = clockIn(timeZone);
  return clock.instantOf(clock.timeAt(instant) + sign * count * clockMs[unit], choice);
}
