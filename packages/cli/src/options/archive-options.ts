import type { Command } from 'commander';
import { usageError } from '../terminal/command-error.ts';
import type { TimeRange } from '../times/is-in-range.ts';
import { addConcurrencyOption } from './concurrency-option.ts';
import { type FilterOptions, readTimeRange } from './filter-options.ts';

/** Options of a command that saves all memories to a folder. */
export interface ArchiveOptions extends FilterOptions {
  dryRun?: boolean | undefined;
  adopt?: boolean | undefined;
  concurrency: number;
}

/**
 * Reads the filter of a command that saves all memories to a folder.
 *
 * @throws CommandError if a value is invalid, or if the command saves one memory only.
 */
export async function readArchiveRange(
  options: Omit<ArchiveOptions, 'concurrency'>,
  isAll: boolean,
): Promise<TimeRange | undefined> {
  const { since, until, last } = options;
  const range = await readTimeRange(options);
  const flag = options.dryRun ? '--dry-run' : options.adopt ? '--adopt' : undefined;
  if (!isAll && flag !== undefined) throw usageError(`${flag}: it applies only to --all. Omit it, or pass --all.`);
  if ((since ?? until ?? last) === undefined) return undefined;
  if (isAll) return range;
  throw usageError('--since, --until and --last: they apply only to --all. Omit them, or pass --all.');
}

/** Adds the options of commands that save all memories to a folder. */
export function addArchiveOptions(command: Command, { mostAtOnce = 64 }: { mostAtOnce?: number } = {}): Command {
  return addConcurrencyOption(command, mostAtOnce)
    .option('--dry-run', 'send one request, print what would be saved, and write nothing')
    .option('--adopt', 'continue a folder although the server has a new address')
    .option(
      '--media-origin <origin...>',
      'only these origins of media, such as http://10.0.0.5:9000; private ones too',
    );
}
