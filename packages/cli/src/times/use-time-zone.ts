import { findTimeZone } from '@memory-read/contract/date-time';
import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';

/**
 * Sets the time zone of the process, in which dates are read and shown, and returns its name. `TZ` needs the case of the
 * IANA database, and a process with an unknown zone would silently use UTC.
 */
export function useTimeZone({ env }: CliProcess, name: string): string {
  const timeZone = findTimeZone(name);
  if (timeZone === undefined) {
    throw usageError(
      `--time-zone: ${JSON.stringify(name)} is not a time zone. Pass a name of the IANA database, such as Europe/Berlin.`,
    );
  }
  env.TZ = timeZone;
  return timeZone;
}
