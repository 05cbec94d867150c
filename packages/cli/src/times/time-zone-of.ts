import { findTimeZone } from '@memory-read/contract/date-time';
import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';
import { systemClock } from './system-clock.ts';

/**
 * Returns the time zone of `--time-zone`, or of the process. A given one becomes that of the process, in which dates are
 * shown. `TZ` needs the case of the IANA database, and a process with an unknown zone would silently use UTC.
 */
export function timeZoneOf({ env }: CliProcess, name: string | undefined): string {
  if (name === undefined) return systemClock().timeZone;
  const timeZone = findTimeZone(name);
  if (timeZone === undefined) {
    throw usageError(
      `--time-zone: ${JSON.stringify(name)} is not a time zone. Pass a name of the IANA database, such as Europe/Berlin.`,
    );
  }
  env.TZ = timeZone;
  return timeZone;
}
