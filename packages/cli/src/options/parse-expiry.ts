import { parseDateTime } from '@memory-read/contract/date-time';
import { type CommandError, usageError } from '../terminal/command-error.ts';

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses an expiry: an ISO 8601 date-time or date, in UTC if it has no offset, or a duration from now such as `90d`.
 *
 * @throws CommandError if the text is neither, or the expiry is in the past.
 */
export function parseExpiry(text: string, now: Date): Date {
  const instant = addDuration(text, now) ?? parseDateTime(text) ?? parseDateTime(`${text}T00:00Z`);
  const expiresAt = new Date(instant ?? Number.NaN);
  // A duration can lead beyond the years of a date-time. The year of an invalid date is NaN.
  const isStorable = expiresAt.getUTCFullYear() <= 9999;
  if (!isStorable) {
    throw expiryError(text, 'it is neither a valid date-time nor a duration', 'Pass one like 2027-01-31T12:00Z or 90d');
  }
  if (expiresAt <= now) throw expiryError(text, 'the expiry date is in the past', 'Pass a future date');
  return expiresAt;
}

function addDuration(text: string, now: Date): number | undefined {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : now.getTime() + Number(count) * (unitMs[unit] ?? Number.NaN);
}

function expiryError(text: string, reason: string, advice: string): CommandError {
  return usageError(`--expires ${JSON.stringify(text)}: ${reason}. ${advice}.`);
}
