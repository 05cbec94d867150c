import { clockIn, systemTimeZone, type ZoneClock } from '@memory-read/contract/date-time';

/** The time zone of the process, and its clock. */
export interface SystemClock {
  timeZone: string;
  clock: ZoneClock;
}

let known: { setting: string | undefined; system: SystemClock } | undefined;

/** Returns the clock of the process. It is needed in each row of a table, and finding the zone takes 45 µs. */
export function systemClock(): SystemClock {
  const setting = process.env.TZ;
  if (known === undefined || known.setting !== setting) {
    const timeZone = systemTimeZone();
    known = { setting, system: { timeZone, clock: clockIn(timeZone) } };
  }
  return known.system;
}
