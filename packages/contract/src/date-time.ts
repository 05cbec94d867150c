/**
 * The grammar of the date-times of the API and of HTTP, and the clocks of the machine and of time zones. Not stable: functions may change in a minor
 * version.
 *
 * @packageDocumentation
 */

export { parseHttpDate, parsePause } from './http-date.ts';
export { systemClock } from './system-clock.ts';
export { clockIn, findTimeZone, formatOffset, systemTimeZone, type ZoneClock } from './time-zone.ts';

// Date, T, hours and minutes, optional seconds and fraction, and optionally Z or an offset. The specification has no
// rule for zones, so all three forms are valid.
const pattern =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:Z|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?$/;

/** Returns whether a text is an ISO 8601 date-time of an existing day. */
export function isDateTime(text: string): boolean {
  return pattern.test(text) && isCalendarDate(text);
}

/**
 * Returns the milliseconds since 1970 of an ISO 8601 date-time; undefined if it is invalid. See sections 2.1 and 2.3 of
 * the specification.
 *
 * A date-time without an offset is UTC. Unlike `Date.parse`, the result is the same on every runtime, and an invalid
 * day such as 30 February is rejected. Digits beyond the millisecond are cut off.
 *
 * @example
 * ```ts
 * console.log(parseDateTime('2026-03-01T12:00')); // 1772366400000
 * console.log(parseDateTime('2026-02-30T12:00:00Z')); // undefined
 * ```
 */
export function parseDateTime(text: string): number | undefined {
  const [, date, time, seconds = '00', fraction = '', hours = '+00', minutes = '00'] = pattern.exec(text) ?? [];
  if (date === undefined || !isCalendarDate(date)) return undefined;
  return Date.parse(`${date}T${time}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${hours}:${minutes}`);
}

/**
 * Returns the same instant as `YYYY-MM-DDTHH:mm:ss.sssZ`; undefined if this format cannot represent it.
 *
 * Digits beyond the millisecond are cut off. An offset can move the instant out of the supported years (0000 to 9999).
 * Texts of this format have the same length and sort by time. See section 2.1 of the specification.
 */
export function normalizeDateTime(text: string): string | undefined {
  // Most times are in this form already, and a transcript has thousands.
  if (text.length === NORMAL_LENGTH && text[19] === '.' && text.endsWith('Z') && isDateTime(text)) return text;
  const instant = parseDateTime(text);
  const normalized = instant === undefined ? '' : new Date(instant).toISOString();
  return normalized.length === NORMAL_LENGTH ? normalized : undefined;
}

const NORMAL_LENGTH = 'YYYY-MM-DDTHH:mm:ss.sssZ'.length;

/** Returns whether normalizing a date-time cuts off digits other than zero. */
export function losesDigits(text: string): boolean {
  const fraction = pattern.exec(text)?.[4] ?? '';
  return /[1-9]/.test(fraction.slice(3));
}

/** Every month has 28 days; `Date` rolls a later day that a month lacks over into the next one. */
function isCalendarDate(text: string): boolean {
  // A list has thousands of times, and each slice is a new string.
  const isInEveryMonth = text[8] !== '3' && !(text[8] === '2' && text[9] === '9');
  return isInEveryMonth || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));
}
