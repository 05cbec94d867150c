import type { ConnectionOptions } from '../options/connection-options.ts';
import { openClient } from '../options/open-client.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createByteProgress } from '../terminal/create-byte-progress.ts';
import { formatBytes } from '../terminal/format-bytes.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { note } from '../terminal/note.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { print } from '../terminal/print.ts';
import { isForPeople, printResult } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { ArchivePlan } from './archive-job.ts';
import { type ArchiveCounts, type ArchiveEvent, ArchiveReport } from './archive-report.ts';
import { runArchive } from './run-archive.ts';

/** What a command does with all memories of an account. */
export interface ArchiveCommand extends Pick<ArchivePlan, 'parts' | 'concurrency' | 'refresh' | 'verify' | 'adopt'> {
  /** The folder. */
  path: string;
  /** What has been done, in the line of JSON at the end. */
  event: 'downloaded' | 'exported' | 'mirrored';
}

/** Keeps memories in a folder, and tells on the way and at the end what came of it. */
export async function runArchiveCommand(
  { path, event, ...plan }: ArchiveCommand,
  options: ConnectionOptions & OutputOptions,
): Promise<void> {
  const signal = abortOnInterruption();
  const client = await openClient(options);
  const progress = createByteProgress(options);
  const report = new ArchiveReport(progress, async (happening) => {
    progress.clear();
    if (happening.event === 'warning') note(happening.message, options);
    if (happening.event === 'failed') process.stderr.write(`${visibleLine(describeFailure(happening))}\n`);
    if (!isForPeople(options)) await print(jsonLine(happening), signal);
  });
  try {
    await runArchive(path, { ...plan, client, report, signal });
  } finally {
    progress.clear();
  }
  const { counts } = report;
  await printResult({ json: { event, ...counts }, text: describe(counts) }, options, signal);
  if (counts.failed > 0) {
    throw new CommandError(
      exitCodes.failed,
      `Failed to keep ${quantity(counts.failed, 'file', 'files')}: because of what is said above. Run the command again for them; all else is done.`,
    );
  }
}

function describeFailure({ memoryId, part, error }: Extract<ArchiveEvent, { event: 'failed' }>): string {
  return `${memoryId}${part ? ` (${part})` : ''}: ${error.message}`;
}

function describe({ memories, unchanged, missing, saved, bytes, kept }: ArchiveCounts): string {
  const parts = [
    `${quantity(saved, 'file', 'files')} saved (${formatBytes(bytes)})`,
    `${unchanged.toLocaleString('en-US')} of ${quantity(memories, 'memory', 'memories')} unchanged`,
    ...(kept > 0 ? [`${quantity(kept, 'file', 'files')} kept, because the memory has less now`] : []),
    ...(missing > 0 ? [`${quantity(missing, 'memory', 'memories')} not in the list any more`] : []),
  ];
  return `${parts.join(', ')}.`;
}
