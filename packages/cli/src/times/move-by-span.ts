import { clockAt, instantOf } from './local-clock.ts';
import type { Span } from './parse-span.ts';

const exactMs = { m: 60_000, h: 3_600_000 };
const clockMs = { d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Returns the instant that is a duration before or after another.
 *
 * Seven days before Monday 09:00 is Monday 09:00, also if the clock was changed between them.
 */
export function moveBySpan(
  instant: number,
  { count, unit }: Span,
  direction: 'past' | 'future',
  limit: 'since' | 'until',
): number {
  const sign = direction === 'past' ? -1 : 1;
  if (unit === 'm' || unit === 'h') return instant + sign * count * exactMs[unit];
  return instantOf(clockAt(instant) + sign * count * clockMs[unit], limit === 'since' ? 'first' : 'last');
}
