import { createReadStream, fstatSync, openSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import type { Command } from 'commander';
import { notEmpty } from '../arguments/not-empty.ts';
import { CommandError, exitCodes } from '../errors/command-error.ts';
import { abortOnInterruption } from '../errors/interrupted-error.ts';
import { type ImportSummary, importMemories } from '../import-memories/import-memories.ts';
import { LineError } from '../json-lines/line-error.ts';
import { openStorage } from '../storage/open-storage.ts';
import { addStorageOptions, type StorageOptions } from '../storage/storage-options.ts';
import { createProgressBar } from '../terminal/create-progress-bar.ts';
import { printResult } from '../terminal/print-result.ts';

interface ImportOptions extends StorageOptions {
  account: string;
  json?: boolean | undefined;
}

export function addImportCommand(program: Command): void {
  const command = program
    .command('import')
    .description('Store the memories of a JSON Lines file: all of them, or none where a line is wrong.')
    .argument('<file>', 'one memory a line, as MemoryRecord of @memory-read/contract; - reads standard input')
    .requiredOption('--account <user-id>', 'user_id of their owner; made first when it is new', notEmpty('--account'));
  addStorageOptions(command)
    .option('--json', 'print the result as JSON, as without a terminal')
    .addHelpText('after', help)
    .action(runImport);
}

const help = `
A memory whose id the account already has is replaced; of several lines with one id the last counts.
The account is made first, and stays when the import fails.

Examples:
  memory-read import memories.jsonl --account user_1
  gunzip --stdout memories.jsonl.gz | memory-read import - --account user_1`;

async function runImport(file: string, options: ImportOptions): Promise<void> {
  const interruption = abortOnInterruption();
  const source = openSource(file);
  addAbortSignal(interruption, source.stream);
  const progress = createProgressBar({ stream: process.stderr, now: () => performance.now(), total: source.size });
  const storage = await openStorage(options);
  try {
    const summary = await importMemories({
      store: storage,
      userId: options.account,
      chunks: source.stream,
      onMemory: (items) => progress.update({ bytes: source.bytesRead(), items }),
      onEnd: () => progress.finish('storing …'),
    });
    progress.clear();
    await printResult({ json: { event: 'imported', ...summary }, text: describe(summary, options.account) }, options);
  } catch (error) {
    progress.clear();
    throw interruption.aborted ? interruption.reason : explain(error, source.name);
  } finally {
    source.stream.destroy();
    await storage.close();
  }
}

interface Source {
  name: string;
  stream: Readable;
  size: number | undefined;
  bytesRead(): number;
}

function openSource(file: string): Source {
  if (file === '-') return { name: 'standard input', stream: process.stdin, size: undefined, bytesRead: () => 0 };
  try {
    const descriptor = openSync(file, 'r');
    const stats = fstatSync(descriptor);
    const stream = createReadStream(file, { fd: descriptor });
    return { name: file, stream, size: stats.isFile() ? stats.size : undefined, bytesRead: () => stream.bytesRead };
  } catch (cause) {
    throw new CommandError(
      exitCodes.failed,
      `Failed to import ${file}: because it cannot be read (${(cause as NodeJS.ErrnoException).code}). Pass a JSON Lines file.`,
      { cause },
    );
  }
}

function describe({ memories, duplicates, shortenedDateTimes }: ImportSummary, account: string): string {
  return [
    `Stored ${quantity(memories, 'memory', 'memories')} of ${account}.`,
    ...(duplicates > 0
      ? [`${quantity(duplicates, 'line', 'lines')} had an id that came again later; the last one counted.`]
      : []),
    ...(shortenedDateTimes > 0
      ? [
          `${quantity(shortenedDateTimes, 'date-time', 'date-times')} lost digits: milliseconds are the finest that is stored.`,
        ]
      : []),
  ].join('\n');
}

function quantity(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

function explain(error: unknown, name: string): unknown {
  if (!(error instanceof LineError)) return error;
  return new CommandError(
    exitCodes.failed,
    `Failed to import ${name}: because line ${error.line}: ${error.message}. Correct the line; no memory was stored.`,
  );
}
