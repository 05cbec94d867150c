import { existsSync, rmdirSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { MediaKind, MemoryClient } from '@memory-read/client';
import {
  type ExportFilesOptions,
  type ExportFormat,
  isMirrorError,
  type Mirror,
  type SyncOptions,
  type SyncReport,
} from '@memory-read/mirror';
import { explainFileError, fileError } from '../files/file-error.ts';
import { makeDirectory } from '../files/make-directory.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { withPrivateFiles } from '../options/private-files.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { exitCodeOf } from '../terminal/report-failure.ts';
import type { TimeRange } from '../times/is-in-range.ts';
import { explainMirrorError } from './explain-mirror-error.ts';
import { isMirror } from './find-mirror.ts';
import type { MirrorReport } from './mirror-report.ts';
import { runWithReport } from './run-with-report.ts';
import { withEmptyMirror, withMirrorOfRun } from './with-mirror.ts';

export interface ExportRun
  extends Pick<ExportFilesOptions, 'name' | 'timeZone' | 'copy'>,
    ConnectionOptions,
    OutputOptions {
  /** The `event` of the last line of JSON. */
  event: 'exported' | 'downloaded';
  /** Folder that is written. */
  target: string;
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
  const { target, folder, formats, media, range, name, timeZone, copy, adopt, offline, dryRun } = run;
  await runWithReport(run, async (report, signal) => {
    const client = offline ? undefined : await openClient(run);
    const options = { formats, media, name, timeZone, copy, adopt, signal };
    const isTargetNew = !dryRun && !existsSync(target);
    const prepare = async (mirror: Mirror) => {
      await withTarget(target, mirror.exportFiles(target, { ...options, dryRun: true, since: afterAll }));
      if (isTargetNew) makeTarget(target);
    };
    try {
      // A mirror is made only if the folder can be written.
      if (!isMirror(folder)) {
        assertApart(target, folder);
        await withEmptyMirror(folder, prepare);
        if (!dryRun) note(`Keeping the mirror in ${folder}.`, run);
      }
      await withMirrorOfRun(run, report, async (mirror) => {
        await prepare(mirror);
        if (client !== undefined) report.end(await syncFor(run, mirror, { client, report, signal }));
        const onProgress: ExportFilesOptions['onProgress'] = (event) => report.followExport(event);
        const exported = mirror.exportFiles(target, { ...options, ...range, dryRun, onProgress });
        const result = await withTarget(target, exported);
        const known = (await mirror.listExports()).find((each) => each.folder === result.folder);
        report.endExport({ report: result, name: known?.name, mirror: mirror.folder });
        report.warnOfLog();
      });
    } catch (error) {
      if (isTargetNew) removeIfEmpty(target);
      throw error;
    }
  });
}

/** Syncs what is exported. Without a sync, nothing is exported, so the error says what can be. */
async function syncFor(
  { process, folder, range, media, adopt, concurrency, dryRun }: ExportRun,
  mirror: Mirror,
  { client, report, signal }: { client: MemoryClient; report: MirrorReport; signal: AbortSignal },
): Promise<SyncReport> {
  const onProgress: SyncOptions['onProgress'] = (event) => report.follow(event);
  const options = { ...range, media, adopt, concurrency, dryRun, signal, onProgress };
  try {
    return await withPrivateFiles(process, () => mirror.sync(client, options));
  } catch (error) {
    signal.throwIfAborted();
    // The lock of another run also keeps an export from writing.
    if (isMirrorError(error) && error.code === 'busy') throw error;
    const explained = explainMirrorError(folder, error) as Error;
    const advice = 'Pass --offline to export what the mirror has.';
    throw new CommandError(exitCodeOf(explained), `${explainFailure(process, explained)} ${advice}`);
  }
}

/** Checks what a mirror that does not exist yet cannot check: whether one of the folders is in the other one. */
function assertApart(target: string, mirror: string): void {
  const [ofTarget, ofMirror] = [`${resolve(target)}${sep}`, `${resolve(mirror)}${sep}`];
  const isInside = ofTarget.startsWith(ofMirror);
  if (!isInside && !ofMirror.startsWith(ofTarget)) return;
  const problem = isInside
    ? `it is in a mirror (${JSON.stringify(mirror)}). Choose a folder outside of it.`
    : 'a mirror is in it. Choose another folder.';
  throw fileError(target, problem, { exitCode: exitCodes.usage });
}

function makeTarget(target: string): void {
  try {
    makeDirectory(target);
  } catch (error) {
    throw explainFileError(target, error);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has files, or was not made.
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
