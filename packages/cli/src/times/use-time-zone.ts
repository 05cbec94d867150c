import type { CliProcess } from '../terminal/cli-process.ts';
import { usageError } from '../terminal/command-error.ts';

/** Sets the time zone of the process. Dates are read and shown in it. */
export function useTimeZone({ env }: CliProcess, name: string): void {
  env.TZ = canonicalName(name);
}

/** `TZ` needs the case of the IANA database, and a process with an unknown zone would silently use UTC. */
function canonicalName(name: string): string {
  try {
    if (/^[a-z]/i.test(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // Only an unknown zone is refused.
  }
  throw usageError(
    `--time-zone: ${JSON.stringify(name)} is not a time zone. Pass a name of the IANA database, such as Europe/Berlin.`,
  );
}
