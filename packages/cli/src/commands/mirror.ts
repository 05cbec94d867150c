import type { MediaKind } from '@memory-read/client';
import { mediaKinds } from '@memory-read/contract/fields';
import { type Command, Option } from 'commander';
import { mirrorFolder } from '../mirror/find-mirror.ts';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { addFilterOptions, type FilterOptions, readTimeRange, timesHelp } from '../options/filter-options.ts';
import { addKindOption } from '../options/kind-option.ts';
import { notEmpty } from '../options/not-empty.ts';
import { parseCount } from '../options/parse-count.ts';
import { withPrivateFiles } from '../options/private-files.ts';
import { addSyncOptions, type SyncOptions } from '../options/sync-options.ts';
import { usageError } from '../terminal/command-error.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';

interface MirrorOptions extends ConnectionOptions, OutputOptions, FilterOptions, SyncOptions {
  media: boolean;
  kind?: MediaKind[] | undefined;
  refresh?: boolean | undefined;
  recheck?: number | undefined;
  missing: 'keep' | 'purge';
  allowEmpty?: boolean | undefined;
  pages: boolean;
  backup?: string | undefined;
  check?: boolean | undefined;
  repair?: boolean | undefined;
}

/** Largest number of memories that one sync reads again. */
const mostRechecks = 10_000;

export function define(command: Command): void {
  command
    .argument(
      '[dir]',
      'folder of the mirror, created if new (default: MEMORY_READ_MIRROR, or memories)',
      notEmpty('the folder'),
    )
    .option('--no-media', 'save no audio, video and preview images');
  addKindOption(command, 'save only these media')
    .option('--refresh', 'read all memories again, also unchanged ones (up to 10,000)')
    .option(
      '--recheck <n>',
      'also read the n memories that were read longest ago',
      parseCount('--recheck', mostRechecks),
    )
    .addOption(
      new Option('--missing <policy>', 'keep or purge memories that are missing from two lists')
        .choices(['keep', 'purge'])
        .default('keep'),
    )
    .option('--allow-empty', 'accept an empty list although the mirror has memories')
    .option('--no-pages', 'write no Markdown pages and no index.html');
  addFilterOptions(command);
  addSyncOptions(command);
  addCareOptions(command);
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runCommand);
}

/** Adds the options for a mirror that exists. They exclude each other, and all options of a sync before them. */
function addCareOptions(command: Command): void {
  const options = [
    new Option('--backup <file>', 'copy the database to a new file, and sync nothing'),
    new Option('--check', 'read everything, print what is damaged, and sync nothing'),
    new Option('--repair', 'take from the server what is damaged, and sync nothing'),
  ];
  const ofSync = command.options.map((option) => option.attributeName());
  for (const option of options) {
    const others = options.filter((other) => other !== option).map((other) => other.attributeName());
    command.addOption(option.conflicts([...ofSync, ...others]));
  }
}

const help = `
The copy has every version of each memory, and you can search it offline. Run
the command again to add what is new. Without changes, a run sends one request
and writes nothing. If a run was interrupted, the next one resumes. Only one run
at a time can use a folder. Only you can read the files that it creates.
--since, --until and --last limit what is read, not what is marked as missing.
${timesHelp}

Lines of JSON: {"event":"saved","memoryId":…,"part":…}, "failed" with an
"error", "kept" for a page that you edited, "doubtful" with the "speaker" and
"person" of a name that is not shown any more, and at the end
{"event":"mirrored","complete":…}. Ends with 1 if a memory failed; the others
are saved. --backup prints {"event":"backed_up","file":…,"size":…}. --check and
--repair print "damaged" or "lost" for each damage, then "checked" or
"repaired". They end with 1 if something is damaged or lost.

Examples:
  memory-read mirror memories
  memory-read mirror --no-media --quiet --api-key file:key.txt
  memory-read mirror --backup monday.sqlite
  memory-read search "budget review"`;

async function runCommand(
  dir: string | undefined,
  { kind, media, refresh, recheck, dryRun = false, since, until, last, timeZone, ...options }: MirrorOptions,
): Promise<void> {
  if (!media && kind) throw usageError('--kind: it cannot be combined with --no-media. Leave one of them out.');
  if (refresh && recheck !== undefined) {
    throw usageError('--recheck: it cannot be combined with --refresh. Leave one of them out.');
  }
  const { process, backup, check, repair } = options;
  if (backup !== undefined || check || repair) {
    const { runCare } = await import('../mirror/run-care.ts');
    return withPrivateFiles(process, () => runCare({ ...options, dir }));
  }
  const range = await readTimeRange({ process, since, until, last, timeZone });
  const { runMirror } = await import('../mirror/run-mirror.ts');
  const run = {
    ...options,
    ...range,
    folder: mirrorFolder(process, dir),
    media: media ? (kind ?? mediaKinds) : [],
    recheck: refresh ? mostRechecks : recheck,
    dryRun,
  };
  await withPrivateFiles(process, () => runMirror(run));
}
