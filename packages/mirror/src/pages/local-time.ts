import { clockIn, findTimeZone, formatOffset, systemTimeZone } from '@memory-read/contract/date-time';

/** Local time of an instant in a time zone. */
export interface LocalTime {
  /** Day, as `YYYY-MM-DD`. */
  date: string;
  /** Time of day, as `HH:mm:ss`. */
  time: string;
  /** Difference from UTC, as `+HH:mm`. */
  offset: string;
}

/**
 * Returns a function that converts milliseconds since 1970 to the local time of an IANA time zone. Another program can have
 * stored an invalid name: then the zone is that of the system.
 */
export function localTimeIn(timeZone: string): (instant: number) => LocalTime {
  const clock = clockIn(findTimeZone(timeZone) ?? systemTimeZone());
  return (instant) => {
    const whole = Math.floor(instant / 1000) * 1000;
    // Early offsets have seconds, which ISO 8601 cannot express. The local time follows the rounded offset.
    const offset = Math.round((clock.timeAt(whole) - whole) / 60_000) * 60_000;
    const local = new Date(whole + offset).toISOString();
    const end = local.indexOf('T');
    return { date: local.slice(0, end), time: local.slice(end + 1, end + 9), offset: formatOffset(offset) };
  };
}
