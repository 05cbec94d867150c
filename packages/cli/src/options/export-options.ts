import type { MediaKind } from '@memory-read/client';
import { mediaKinds } from '@memory-read/contract/fields';
import { type Command, Option } from 'commander';
import { findMirror, mirrorFolder } from '../mirror/find-mirror.ts';
import type { ExportRun } from '../mirror/run-export.ts';
import { usageError } from '../terminal/command-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { addFilterOptions, type FilterOptions, readTimeRange } from './filter-options.ts';
import { addKindOption } from './kind-option.ts';
import { ofServer } from './mirror-option.ts';
import { notEmpty } from './not-empty.ts';
import { addSyncOptions, type SyncOptions } from './sync-options.ts';

/** Options of a command that writes files of all memories with `--all`. */
export interface ExportOptions extends ConnectionOptions, OutputOptions, FilterOptions, SyncOptions {
  all?: boolean | undefined;
  kind?: MediaKind[] | undefined;
  name?: string | undefined;
  copy?: boolean | undefined;
  mirror?: string | undefined;
  offline?: boolean | undefined;
}

/** Adds the options of `--all`, except `--mirror`. */
export function addExportOptions(command: Command): Command {
  command.option('--all', 'every memory of the account, by way of a mirror');
  addKindOption(command, 'with --all: only these media')
    .option(
      '--name <template>',
      'with --all: names of the files (default: those of the folder, or "{date} {name} {id}")',
    )
    .option('--copy', 'with --all: copy media, instead of sharing their space with the mirror')
    .addOption(
      new Option('--offline', 'with --all: send nothing, and write what the mirror has').conflicts([
        ...ofServer,
        'mediaOrigin',
      ]),
    );
  return addFilterOptions(addSyncOptions(command));
}

/** Options that apply only to `--all`. */
const ofAll = ['kind', 'name', 'copy', 'offline', 'dryRun', 'concurrency', 'adopt', 'since', 'until', 'last'] as const;

/** @throws CommandError if an option of `--all` is given without it. `more` are further ones of the command. */
export function assertNoOptionOfAll(options: ExportOptions, more: Readonly<Record<string, unknown>> = {}): void {
  const given = { ...Object.fromEntries(ofAll.map((name) => [name, options[name]])), ...more };
  const [name] = Object.keys(given).filter((each) => given[each] !== undefined);
  if (name === undefined) return;
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw usageError(`${flag}: it applies only to --all. Omit it, or pass --all.`);
}

/** Writes files of all memories to a folder. */
export async function exportAll(
  target: string,
  chosen: Pick<ExportRun, 'event' | 'formats'> & { media: boolean },
  { kind, mirror, timeZone, adopt = false, offline = false, dryRun = false, concurrency, ...options }: ExportOptions,
): Promise<void> {
  const { process } = options;
  const range = await readTimeRange({ ...options, timeZone });
  const folder = offline ? findMirror(process, mirror) : mirrorFolder(process, mirror);
  const media = chosen.media || kind !== undefined ? (kind ?? mediaKinds) : [];
  const { runExport } = await import('../mirror/run-export.ts');
  await runExport({
    ...options,
    ...chosen,
    ...{ target: notEmpty('the folder')(target), folder, media, range, adopt, offline, dryRun, concurrency },
    // The time zone of the command is the one that was given, in the spelling of the IANA database.
    timeZone: timeZone === undefined ? undefined : process.env.TZ,
  });
}
