import { isMemoryApiError, type MediaKind } from '@memory-read/client';
import type { SyncOptions } from '@memory-read/mirror';
import { failedToSave } from '../files/file-error.ts';
import { gitAdvice } from '../files/git-advice.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createByteProgress } from '../terminal/create-byte-progress.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { note, printMessage } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { isForPeople, printResult, printsJsonOnTerminal } from '../terminal/print-result.ts';
import { shellQuoted } from '../terminal/shell-quoted.ts';
import { assertNoArchive, databasePath, isMirror } from './find-mirror.ts';
import { LinePrinter } from './line-printer.ts';
import { type MirrorEvent, MirrorReport } from './mirror-report.ts';
import { planFirstSync } from './plan-first-sync.ts';
import { findIndex } from './run-open.ts';
import { withMirror } from './with-mirror.ts';

/** Options of a run. */
export interface MirrorRun
  extends Pick<SyncOptions, 'missing' | 'allowEmpty' | 'recheck' | 'adopt' | 'concurrency'>,
    ConnectionOptions,
    OutputOptions {
  folder: string;
  media: readonly MediaKind[];
  since?: Date | undefined;
  until?: Date | undefined;
  /** Whether to write Markdown pages and `index.html`. */
  pages: boolean;
  dryRun: boolean;
}

/** Syncs a mirror, writes its pages, and prints the result. */
export async function runMirror({ folder, pages, dryRun, ...run }: MirrorRun): Promise<void> {
  const { process } = run;
  const signal = abortOnInterruption(process);
  assertNoArchive(folder);
  const client = await openClient(run);
  const progress = createByteProgress(run);
  const printer = new LinePrinter(process, signal);
  const emit = (event: MirrorEvent) => {
    printEvent(event, run);
    if (!isForPeople(run)) printer.print(event);
  };
  // Events that print nothing do not redraw the progress line.
  const isSilent = ({ event }: MirrorEvent) => event === 'saved' && !printsJsonOnTerminal(run);
  const report = new MirrorReport(
    progress,
    (event) => void (isSilent(event) ? emit(event) : progress.printAbove(() => emit(event))),
    { process, isDryRun: dryRun },
  );
  const { media, missing, allowEmpty, recheck, adopt, concurrency, since, until } = run;
  const onProgress: SyncOptions['onProgress'] = (event) => report.follow(event);
  const sync = { media, missing, allowEmpty, recheck, adopt, concurrency, since, until, dryRun, onProgress, signal };
  const finish = async () => {
    progress.clear();
    await printer.finish();
    const index = findIndex(folder);
    const text = `${report.text}${index && !dryRun ? `\nOpen it: memory-read open --mirror ${shellQuoted(folder)}` : ''}`;
    await printResult({ json: { event: 'mirrored', ...report.counts, index }, text }, run, signal);
  };
  try {
    if (dryRun && !isMirror(folder))
      report.end(await planFirstSync(client, { ...sync, folder, onProgress: report.follow.bind(report) }));
    else {
      const isNew = !isMirror(folder);
      await withMirror({ folder, readOnly: dryRun, onWarning: (warning) => report.warn(warning) }, async (mirror) => {
        const advice = isNew ? gitAdvice(process, databasePath(mirror.folder)) : undefined;
        if (advice !== undefined) report.warn({ message: advice });
        report.end(await mirror.sync(client, sync));
        if (pages && !dryRun) report.endPages(await mirror.writePages({ signal }));
        report.warnOfLog();
      });
    }
  } catch (error) {
    progress.clear();
    signal.throwIfAborted();
    if (!report.hasList) throw error;
    await finish();
    throw explainOutage(process, error, report.progress);
  }
  await finish();
  const failed = report.failedMemories;
  if (failed > 0) throw failedToSave(failed, ['memory', 'memories']);
}

/** Prints warnings and failures during the run. */
function printEvent(event: MirrorEvent, options: OutputOptions): void {
  if (event.event === 'failed') {
    const { message } = event.error as { message: string };
    printMessage(options.process, `${event.memoryId}${event.part ? ` (${event.part})` : ''}: ${message}`);
  }
  if (event.event === 'warning') {
    note(`Warning: ${event.message}`, options);
  }
  if (event.event === 'kept' && isForPeople(options)) {
    note(`Kept ${event.path}, which you edited. The new version is ${event.writtenTo}.`, options);
  }
}

/** Returns an error with the number of saved memories, if the server or the storage cannot be reached any more. */
function explainOutage(process: CliProcess, error: unknown, progress: string): unknown {
  if (!isMemoryApiError(error)) return error;
  const resume = 'Run the same command again to resume;';
  if (error.code === 'media_download') {
    const problem = `the media storage cannot be reached. ${resume} all texts are saved.`;
    return new CommandError(exitCodes.failed, `Failed to download media: ${problem}`, { cause: error });
  }
  if (error.code !== 'connection' && error.code !== 'timeout') return error;
  return new CommandError(exitCodes.failed, `${explainFailure(process, error)} ${resume} ${progress} are done.`);
}
