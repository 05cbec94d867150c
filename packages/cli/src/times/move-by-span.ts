import { clockIn } from '@memory-read/contract/date-time';
import { type Span, unitMs } from './parse-span.ts';

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
  const move = (direction === 'past' ? -1 : 1) * count * unitMs[unit];
  if (unit !== 'd' && unit !== 'w') return instant + move;
  const clock = clockIn(timeZone);
  return clock.instantOf(clock.timeAt(instant) + move, choice);
}
