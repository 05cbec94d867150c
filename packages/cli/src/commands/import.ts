import { addAbortSignal, type Readable } from 'node:stream';
import { type MemoryStoreAdmin, toStoredMemory } from '@memory-read/server';
import type { Command } from 'commander';
import { openInput } from '../files/open-input.ts';
import { type ImportSummary, importMemories } from '../import/import-memories.ts';
import { parseAccountId } from '../options/account-id.ts';
import { preferSmallHeap } from '../prefer-small-heap.ts';
import { createFileNote, openStorage } from '../storage/open-storage.ts';
import { addStorageOptions, type StorageOptions } from '../storage/storage-options.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createProgress } from '../terminal/create-progress.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { describeShortened, quantity } from '../terminal/quantity.ts';
import { visibleLine } from '../terminal/visible-text.ts';

interface ImportOptions extends StorageOptions, OutputOptions {
  account: string;
  objectPrefix?: string | undefined;
  /** Whether to check the file only. */
  dryRun?: boolean | undefined;
}

export function define(command: Command, process: CliProcess): void {
  command
    .argument('<file>', 'JSON Lines file, one memory per line; - is standard input')
    .requiredOption('--account <user-id>', 'user_id of their owner; created if new', parseAccountId)
    .option('--object-prefix <prefix>', 'store nothing if an object key does not begin with it')
    .option('--dry-run', 'check every line, and store nothing');
  addOutputOptions(addStorageOptions(command, process)).addHelpText('after', help).action(runImport);
}

const help = `
A memory whose id the account already has is replaced. If several lines have the
same id, the last one counts. The account is created first, and stays if the
import fails.
Object keys belong to no account: serve signs URLs for every key in a record.
With --object-prefix, records can name only the objects of their owner.

Examples:
  memory-read import memories.jsonl --account user_1
  memory-read import memories.jsonl --account user_1 --object-prefix user_1/
  memory-read import memories.jsonl --account user_1 --dry-run
  gunzip --stdout memories.jsonl.gz | memory-read import - --account user_1`;

async function runImport(file: string, options: ImportOptions): Promise<void> {
  preferSmallHeap();
  const interruption = abortOnInterruption(options.process);
  const source = await openSource(file, options);
  addAbortSignal(interruption, source.stream);
  const progress = createProgress({
    process: options.process,
    quiet: options.quiet,
    now: () => performance.now(),
    formatRate: (memories) => `${Math.round(memories).toLocaleString('en-US')} a second`,
  });
  const { dryRun } = options;
  const noteNewFile = createFileNote(options);
  const storage = dryRun ? undefined : await openStorage(options, interruption);
  try {
    const summary = await importMemories({
      store: storage ?? createCheckingStore(),
      userId: options.account,
      chunks: source.stream,
      objectPrefix: options.objectPrefix,
      onMemory: (count) => progress.update({ text: memoriesText(count), count, share: source.share() }),
      onEnd: () => dryRun || progress.finish('storing …'),
    });
    progress.clear();
    if (!dryRun) noteNewFile();
    const json = { event: 'imported', ...(dryRun && { dryRun }), ...summary };
    await printResult({ json, text: describe(summary, options) }, options);
  } catch (error) {
    progress.clear();
    throw interruption.aborted ? interruption.reason : explain(error, source.name);
  } finally {
    source.stream.destroy();
    await storage?.close();
  }
}

interface Source {
  name: string;
  stream: Readable;
  /** Share that was read, from 0 to 1; undefined if the size is unknown. */
  share(): number | undefined;
}

async function openSource(file: string, { process }: ImportOptions): Promise<Source> {
  if (file === '-') return { name: 'standard input', stream: process.stdin, share: () => undefined };
  const name = visibleLine(file);
  try {
    const { stream, stats } = await openInput(file);
    return { name, stream, share: () => (stats.isFile() ? stream.bytesRead / stats.size : undefined) };
  } catch (cause) {
    throw new CommandError(
      exitCodes.failed,
      `Failed to import ${name}: it cannot be read (${(cause as NodeJS.ErrnoException).code}). Pass a JSON Lines file.`,
      { cause },
    );
  }
}

function describe(
  { memories, duplicates, shortenedDateTimes }: ImportSummary,
  { account, dryRun, db, postgres }: ImportOptions,
): string {
  return [
    dryRun
      ? `Checked ${memoriesText(memories)} of ${account}. Nothing was stored.`
      : `Stored ${memoriesText(memories)} of ${account} in ${postgres?.name ?? db}.`,
    ...(duplicates > 0
      ? [`${quantity(duplicates, 'line', 'lines')} had an id that came again later; the last one counted.`]
      : []),
    ...describeShortened(shortenedDateTimes),
  ].join('\n');
}

function memoriesText(count: number): string {
  return quantity(count, 'memory', 'memories');
}

function explain(error: unknown, name: string): unknown {
  const { name: errorName, code, reason, memoryId } = Object(error);
  if (errorName === 'LineError') return failure(name, `${reason}. Correct the line`);
  if (code !== 'id_taken') return error;
  return failure(name, `another account owns the id ${JSON.stringify(memoryId)}. Give the memory another one`);
}

function failure(name: string, reasonAndAdvice: string): CommandError {
  const message = `Failed to import ${name}: ${reasonAndAdvice}. Nothing was stored.`;
  return new CommandError(exitCodes.failed, message);
}

/** Creates a store that checks memories like every store, but stores nothing. */
function createCheckingStore(): Pick<MemoryStoreAdmin, 'putAccount' | 'putMemories'> {
  return {
    async putAccount() {},
    async putMemories(userId, records) {
      let count = 0;
      for await (const record of records) {
        toStoredMemory(userId, record);
        count += 1;
      }
      return count;
    },
  };
}
