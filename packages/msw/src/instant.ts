import { parseDateTime } from '@memory-read/contract';

/** Milliseconds since 1970, `NaN` where it is neither a date nor an ISO 8601 date-time; one without an offset is UTC. */
export function toInstant(date: Date | string): number {
  if (typeof date === 'string') return parseDateTime(date) ?? Number.NaN;
  // Also one of another realm, such as that of jsdom.
  return Object.prototype.toString.call(date) === '[object Date]' ? date.getTime() : Number.NaN;
}
