import { parseDateTime } from '@memory-read/contract';

/** Returns milliseconds since 1970; `NaN` for an invalid date or date-time. A date-time without an offset is UTC. */
export function toInstant(date: Date | string): number {
  if (typeof date === 'string') return parseDateTime(date) ?? Number.NaN;
  // `instanceof` would reject a date of another realm, such as jsdom's.
  return Object.prototype.toString.call(date) === '[object Date]' ? date.getTime() : Number.NaN;
}
