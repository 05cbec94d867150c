import { resolve, sep } from 'node:path';
import type { MediaKind } from '@memory-read/client';
import { type ExportFilesOptions, type ExportFormat, isMirrorError, type Mirror } from '@memory-read/mirror';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { withPrivateFiles } from '../options/private-files.ts';
import { CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { exitCodeOf } from '../terminal/report-failure.ts';
import type { TimeRange } from '../times/is-in-range.ts';
import { explainMirrorError } from './explain-mirror-error.ts';
import { assertNoArchive, isMirror } from './find-mirror.ts';
import type { MirrorReport } from './mirror-report.ts';
import { runWithReport } from './run-with-report.ts';
import { withMirrorOfRun } from './with-mirror.ts';

/** Options of a run. */
export interface ExportRun
  extends Pick<ExportFilesOptions, 'name' | 'timeZone' | 'copy'>,
    ConnectionOptions,
    OutputOptions {
  /** The `event` of the last line of JSON. */
  event: 'exported' | 'downloaded';
  /** Folder that is written. */
  target: string;
  /** Folder of the mirror. */
  folder: string;
  formats: readonly ExportFormat[];
  media: readonly MediaKind[];
  range: TimeRange;
  concurrency: number | undefined;
  adopt: boolean;
  /** Whether the mirror is exported as it is. */
  offline: boolean;
  dryRun: boolean;
}

/** Syncs a mirror, exports its files, and prints the result. */
export async function runExport(run: ExportRun): Promise<void> {
  const { target, folder, formats, media, range, name, timeZone, copy, adopt, offline, dryRun, process } = run;
  await runWithReport(run, async (report, signal) => {
    assertNoArchive(folder);
    const isNew = !isMirror(folder);
    if (isNew && `${resolve(target)}${sep}`.startsWith(`${resolve(folder)}${sep}`)) {
      throw usageError(`${JSON.stringify(target)}: it is in the folder of the mirror. Choose another folder.`);
    }
    const options = { formats, media, name, timeZone, copy, adopt, signal };
    const checkTarget = (mirror: Mirror) =>
      withTarget(target, mirror.exportFiles(target, { ...options, dryRun: true, since: afterAll }));
    // A mirror is made only for a folder that can be written.
    if (isNew) await withMirrorOfRun({ folder, dryRun: true }, checkTarget);
    const client = offline ? undefined : await openClient(run);
    if (isNew && !dryRun) note(`Keeping the mirror in ${folder}.`, run);
    const exportFrom = async (mirror: Mirror) => {
      await checkTarget(mirror);
      if (client !== undefined) {
        const { concurrency } = run;
        const sync = { ...range, media, adopt, concurrency, dryRun, signal, onProgress: report.follow.bind(report) };
        await withPrivateFiles(process, async () => {
          report.end(await mirror.sync(client, sync).catch((error) => explainSync(run, error, signal)));
        });
      }
      await exportFiles(mirror, report, { ...options, ...range, dryRun });
    };
    await withMirrorOfRun({ folder, dryRun }, exportFrom);
  });

  async function exportFiles(mirror: Mirror, report: MirrorReport, options: ExportFilesOptions): Promise<void> {
    const onProgress: ExportFilesOptions['onProgress'] = (event) => report.followExport(event);
    const result = await withTarget(target, mirror.exportFiles(target, { ...options, onProgress }));
    const known = (await mirror.listExports()).find((each) => each.folder === result.folder);
    report.endExport({ report: result, name: known?.name, mirror: mirror.folder });
    report.warnOfLog();
  }
}

/** A start that no memory has. */
const afterAll = new Date(8_640_000_000_000_000);

/** Names the folder that is written as it was given. */
async function withTarget<Result>(target: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!isMirrorError(error)) throw error;
    if (['disk_full', 'storage'].includes(error.code)) throw explainMirrorError(target, error);
    if (error.code !== 'foreign_folder') throw error;
    const message = error.message.replace(JSON.stringify(resolve(target)), () => JSON.stringify(target));
    throw new CommandError(exitCodes.usage, message);
  }
}

function explainSync({ process, folder }: ExportRun, error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  const explained = explainMirrorError(folder, error) as Error;
  throw new CommandError(
    exitCodeOf(explained),
    `${explainFailure(process, explained)} Pass --offline to export what the mirror has.`,
  );
}
