import { failedToSave } from '../files/file-error.ts';
import { assertNoMirror } from '../mirror/find-mirror.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { createByteProgress } from '../terminal/create-byte-progress.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople, printResult, printsJsonOnTerminal } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { ArchivePlan } from './archive-job.ts';
import { type ArchiveCounts, type ArchiveEvent, ArchiveReport } from './archive-report.ts';
import { planArchive, runArchive } from './run-archive.ts';

/** Options of a command that saves all memories of an account. */
export interface ArchiveCommand extends Pick<ArchivePlan, 'parts' | 'range' | 'concurrency' | 'verify' | 'adopt'> {
  path: string;
  /** The `event` of the last line of JSON. */
  event: 'downloaded' | 'exported';
  /** Whether to print only what would be saved. */
  dryRun?: boolean | undefined;
}

/** Saves memories to a folder, and reports progress and the final counts. */
export async function runArchiveCommand(
  { path, event, dryRun = false, ...plan }: ArchiveCommand,
  options: ConnectionOptions & OutputOptions,
): Promise<void> {
  assertNoMirror(path, event === 'downloaded' ? 'Pass another folder as --output.' : 'Choose another folder.');
  const { process } = options;
  const signal = abortOnInterruption(process);
  const client = await openClient(options);
  const progress = createByteProgress(options);
  const emit = async (archiveEvent: ArchiveEvent) => {
    if (archiveEvent.event === 'warning') note(archiveEvent.message, options);
    if (archiveEvent.event === 'failed') process.stderr.write(`${visibleLine(describeFailure(archiveEvent))}\n`);
    if (!isForPeople(options)) await print(process, jsonLine(archiveEvent), signal);
  };
  // What prints nothing on the terminal leaves the progress line as it is, so that it is not drawn for each file.
  const isSilent = ({ event }: ArchiveEvent) => event === 'saved' && !printsJsonOnTerminal(options);
  const report = new ArchiveReport(process, progress, (archiveEvent) =>
    isSilent(archiveEvent) ? emit(archiveEvent) : progress.printAbove(() => emit(archiveEvent)),
  );
  try {
    await (dryRun ? planArchive : runArchive)(path, { ...plan, client, report, signal });
  } finally {
    progress.clear();
  }
  const { counts } = report;
  const result = dryRun ? planned(report) : { json: counts, text: describe(counts) };
  await printResult({ ...result, json: { event, ...result.json } }, options, signal);
  if (counts.failed > 0) {
    throw failedToSave(counts.failed, ['file', 'files']);
  }
}

function describeFailure({ memoryId, part, error }: Extract<ArchiveEvent, { event: 'failed' }>): string {
  return `${memoryId ?? 'A memory without an id'}${part ? ` (${part})` : ''}: ${error.message}`;
}

function planned({ counts: { memories, unchanged, failed }, planned }: ArchiveReport) {
  const counts = `${quantity(memories, 'memory', 'memories')}, ${unchanged.toLocaleString('en-US')} unchanged`;
  return {
    json: { dryRun: true, memories, planned, unchanged, failed },
    text: `${counts}. A run without --dry-run saves ${quantity(planned, 'file', 'files')}.`,
  };
}

function describe({ memories, unchanged, missing, saved, bytes, kept }: ArchiveCounts): string {
  const parts = [
    `${quantity(saved, 'file', 'files')} saved (${formatBytes(bytes)})`,
    `${unchanged.toLocaleString('en-US')} of ${quantity(memories, 'memory', 'memories')} unchanged`,
    ...(kept > 0 ? [`${quantity(kept, 'file', 'files')} kept, although the server no longer has them`] : []),
    ...(missing > 0 ? [`${quantity(missing, 'memory', 'memories')} no longer on the server`] : []),
  ];
  return `${parts.join(', ')}.`;
}
