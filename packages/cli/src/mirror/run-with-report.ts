import { isMemoryApiError } from '@memory-read/client';
import type { ExportFormat, PageWarning } from '@memory-read/mirror';
import { failedToSave } from '../files/file-error.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createByteProgress } from '../terminal/create-byte-progress.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { LinePrinter } from '../terminal/line-printer.ts';
import { note, printMessage } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { isForPeople, printResult, printsJsonOnTerminal } from '../terminal/print-result.ts';
import { commandOn } from './find-mirror.ts';
import { type MirrorEvent, MirrorReport } from './mirror-report.ts';

interface ReportedRun extends OutputOptions {
  /** The `event` of the last line of JSON. */
  event: 'mirrored' | 'exported' | 'downloaded';
  dryRun: boolean;
  /** Folder of the mirror. */
  folder: string;
  formats?: readonly ExportFormat[] | undefined;
  /** Returns what ends the last line. */
  ending?: (() => { json: object; text: string }) | undefined;
}

/** Runs work over a mirror, and prints its progress, its events and its result. */
export async function runWithReport(
  { event, dryRun, folder, formats, ending, ...options }: ReportedRun,
  work: (report: MirrorReport, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { process } = options;
  const signal = abortOnInterruption(process);
  const progress = createByteProgress(options);
  const printer = new LinePrinter(process, signal);
  const emit = (event: MirrorEvent) => {
    printEvent(event, folder, options);
    if (!isForPeople(options)) void printer.print(jsonLine(event));
  };
  // Events that print nothing do not redraw the progress line.
  const isSilent = ({ event }: MirrorEvent) =>
    ['saved', 'renamed', 'removed'].includes(event) && !printsJsonOnTerminal(options);
  const report = new MirrorReport(
    progress,
    (event) => void (isSilent(event) ? emit(event) : progress.printAbove(() => emit(event))),
    { process, isDryRun: dryRun, formats },
  );
  const finish = async () => {
    progress.clear();
    await printer.finish();
    if (!report.hasCounts) return;
    const { json, text } = ending?.() ?? { json: {}, text: '' };
    await printResult({ json: { event, ...report.counts, ...json }, text: `${report.text}${text}` }, options, signal);
  };
  try {
    await work(report, signal);
  } catch (error) {
    progress.clear();
    signal.throwIfAborted();
    await finish();
    throw report.hasCounts ? explainOutage(process, error, report.progress) : error;
  }
  await finish();
  if (report.failed > 0) throw failedToSave(report.failed, formats ? ['file', 'files'] : ['memory', 'memories']);
}

/** Prints warnings and failures during the run. */
function printEvent(event: MirrorEvent, folder: string, options: OutputOptions): void {
  if (event.event === 'failed') {
    const { message } = event.error as { message: string };
    printMessage(options.process, `${event.memoryId}${event.part ? ` (${event.part})` : ''}: ${message}`);
  }
  if (event.event === 'warning') note(`Warning: ${event.message}`, options);
  if (event.event === 'kept' && isForPeople(options)) noteKept(event as unknown as PageWarning, options);
  if (event.event === 'doubtful') {
    const change = `"${event.person}" was ${event.speaker}, but the speakers of this transcript have changed.`;
    const command = commandOn(options.process, folder, 'name', [String(event.memoryId)]);
    note(`${event.memoryId}: ${change} Run ${command}.`, options);
  }
}

/** Says that a file that belongs to its owner stays. */
export function noteKept(
  { path, reason, writtenTo }: Pick<PageWarning, 'path' | 'reason' | 'writtenTo'>,
  options: OutputOptions,
): void {
  const whose = reason === 'edited' ? 'which you edited' : 'which memory-read did not write';
  note(`Kept ${path}, ${whose}. The new version is ${writtenTo}.`, options);
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
