import { isDateTime } from './date-time.ts';

const parts = /^(.{10})T(..:..)(?:(:..)(?:[.,](\d+))?)?(?:Z|([+-]..)(?::?(..))?)?$/;

/**
 * Milliseconds since 1970 of an ISO 8601 date-time, which is UTC where it names no offset; `undefined` where it is none.
 *
 * It means the same on every runtime, unlike `Date.parse`, and refuses what that rolls over, such as 30 February. Digits
 * beyond the millisecond are cut off.
 *
 * @see Sections 2.1 and 2.3 of the specification.
 *
 * @example
 * ```ts
 * console.log(parseDateTime('2026-03-01T12:00')); // 1772366400000
 * console.log(parseDateTime('2026-02-30T12:00:00Z')); // undefined
 * ```
 */
export function parseDateTime(text: string): number | undefined {
  if (!isDateTime(text)) return undefined;
  const [, date, time, seconds = ':00', fraction = '', hours = '+00', minutes = '00'] = parts.exec(text) ?? [];
  return Date.parse(`${date}T${time}${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${hours}:${minutes}`);
}
