import type { Command } from 'commander';
import type { CommandContext } from '../terminal/cli-process.ts';
import type { TimeRange } from '../times/is-in-range.ts';

/** Options that select memories by their start. */
export interface FilterOptions extends CommandContext {
  since?: string | undefined;
  until?: string | undefined;
  /** Duration before now. */
  last?: string | undefined;
  /** Name of the IANA database. Default: the time zone of the process. */
  timeZone?: string | undefined;
}

/** Adds the options that select memories by their start. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--since <time>', 'only memories that started at this time or later')
    .option('--until <time>', 'only memories that started before the end of this time')
    .option('--last <duration>', 'only memories that started within this duration before now')
    .option('--time-zone <iana-name>', 'time zone of these options and of tables (default: TZ, or the system)');
}

/** Part of the help about times. */
export const timesHelp = `
Times: 2026-11-01, "2026-11-01 09:00", 2026-11-01T09:00Z, 2026-11, 2026, now,
today, yesterday, monday, or a duration before now: 30m, 12h, 7d, 2w.
A day, month or year begins --since and ends --until.`;

/**
 * Reads the range of the options. `--time-zone` becomes the time zone of the process.
 *
 * @throws CommandError if a value is invalid or the range is empty.
 */
export async function readTimeRange(options: FilterOptions, now: Date = new Date()): Promise<TimeRange> {
  const { process, since, until, last, timeZone } = options;
  if ((since ?? until ?? last ?? timeZone) === undefined) return {};
  const { parseTimeRange } = await import('../times/parse-time-range.ts');
  const { timeZoneOf } = await import('../times/time-zone-of.ts');
  return parseTimeRange({ since, until, last }, { now, timeZone: timeZoneOf(process, timeZone) });
}
