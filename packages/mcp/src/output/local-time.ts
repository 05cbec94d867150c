import { clockIn, parseDateTime } from '@memory-read/contract/date-time';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns a function that formats a start in a time zone, such as `Tue 2026-11-24 00:01`. */
export function localTimeIn(timeZone: string): (startedAt: string) => { local?: string } {
  const clock = clockIn(timeZone);
  return (startedAt) => {
    const instant = parseDateTime(startedAt);
    if (instant === undefined) return {};
    return { local: `${weekdays[new Date(clock.timeAt(instant)).getUTCDay()]} ${clock.format(instant)}` };
  };
}
