import { type CommandError, usageError } from '../terminal/command-error.ts';

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const dateTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The instant that an ISO 8601 date-time names, in UTC where it has no offset, or that lies a time such as `90d` from now.
 *
 * @throws CommandError when it is neither, or is over already.
 */
export function parseExpiry(text: string, now: Date): Date {
  const expiresAt = parseDuration(text, now) ?? parseDateTime(text);
  // Not so for an invalid date, nor for a year with more digits than a date-time has.
  const isDateTime = expiresAt !== undefined && expiresAt.getUTCFullYear() <= 9999;
  if (!isDateTime) {
    throw expiryError(
      text,
      'it is neither a date-time of the calendar nor a time from now',
      'Pass one like 2027-01-31T12:00Z or 90d',
    );
  }
  if (expiresAt <= now) throw expiryError(text, 'that is over', 'Pass a time to come');
  return expiresAt;
}

function parseDuration(text: string, now: Date): Date | undefined {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : new Date(now.getTime() + Number(count) * (unitMs[unit] ?? Number.NaN));
}

function parseDateTime(text: string): Date | undefined {
  const match = dateTime.exec(text);
  if (match === null || !isInCalendar(text.slice(0, 'YYYY-MM-DD'.length))) return undefined;
  const isLocal = text.includes('T') && match[1] === undefined;
  return new Date(isLocal ? `${text}Z` : text);
}

/** `Date` makes 2 March of 30 February. */
function isInCalendar(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function expiryError(text: string, reason: string, advice: string): CommandError {
  return usageError(`--expires ${JSON.stringify(text)}: because ${reason}. ${advice}.`);
}
