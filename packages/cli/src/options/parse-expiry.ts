import { usageError } from '../terminal/command-error.ts';
import { readTime } from '../times/read-time.ts';
import { systemClock } from '../times/system-clock.ts';

/**
 * Parses an expiry: a time as in `--until`, whose day is included, or a duration from now such as `90d`.
 *
 * @throws CommandError if the text is neither, or the expiry is in the past.
 */
export function parseExpiry(text: string, now: Date): Date {
  const { timeZone } = systemClock();
  const expiresAt = readTime(text, { limit: 'until', now, timeZone, durations: 'future' });
  if (expiresAt === undefined) {
    throw usageError(
      `--expires: ${JSON.stringify(text)} is not a time. Pass one such as 2027-01-31, "2027-01-31 12:00" or 90d.`,
    );
  }
  if (expiresAt <= now) throw usageError(`--expires: ${JSON.stringify(text)} is in the past. Pass a later time.`);
  return expiresAt;
}
