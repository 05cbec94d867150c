import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { countLostDigits, type MemoryStoreAdmin } from '@memory-read/server';
import type { Command } from 'commander';
import { parseAccountId } from '../options/account-id.ts';
import { openExistingStorage } from '../storage/open-storage.ts';
import { addStorageOptions, type StorageOptions } from '../storage/storage-options.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { describeShortened } from '../terminal/quantity.ts';

interface FinishOptions extends StorageOptions, OutputOptions {
  account: string;
}

type ProcessingResult = Parameters<MemoryStoreAdmin['finishProcessing']>[2];

export function define(command: Command, process: CliProcess): void {
  command
    .argument('<memory-id>', 'id of the memory')
    .argument('<file>', 'JSON {"transcript", "summary"}, null where there is none; - reads standard input')
    .requiredOption('--account <user-id>', 'user_id of its owner', parseAccountId);
  addStorageOptions(command, process)
    .option('--json', 'print the result as JSON, as without a terminal')
    .addHelpText('after', help)
    .action(runFinish);
}

const help = `
The memory is no longer processing. Its transcript and summary are replaced.
Both can be null, as after a recording in which nobody speaks.

Examples:
  memory-read finish mem_1 result.json --account user_1
  jq '{transcript, summary}' memory.json |
    memory-read finish mem_1 - --account user_1`;

async function runFinish(memoryId: string, file: string, options: FinishOptions): Promise<void> {
  const result = parseResult(await readSource(file, options), file);
  const storage = await openExistingStorage(options);
  try {
    if (!(await storage.finishProcessing(options.account, memoryId, result))) {
      throw new CommandError(
        exitCodes.notFound,
        `Failed to finish ${JSON.stringify(memoryId)}: the account ${JSON.stringify(options.account)} has no such memory. Check both ids.`,
      );
    }
    const shortenedDateTimes = countLostDigits(result);
    const json = { event: 'finished', memoryId, userId: options.account, shortenedDateTimes };
    const text = [`Finished ${memoryId} of ${options.account}.`, ...describeShortened(shortenedDateTimes)].join('\n');
    await printResult({ json, text }, options);
  } finally {
    await storage.close();
  }
}

async function readSource(file: string, { process }: FinishOptions): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unusable(file, `it cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}

/** Parses the JSON. The store validates transcript and summary itself. */
function parseResult(bytes: Uint8Array, file: string): ProcessingResult {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The message of the parser would quote the text.
    throw unusable(file, 'it is not valid JSON');
  }
  if (
    Array.isArray(value) ||
    Object.keys(value ?? {})
      .sort()
      .join() !== 'summary,transcript'
  ) {
    throw unusable(file, 'it is not an object with only the fields transcript and summary');
  }
  return value as ProcessingResult;
}

function unusable(file: string, reason: string): CommandError {
  const source = file === '-' ? 'standard input' : file;
  return new CommandError(
    exitCodes.failed,
    `Failed to read the result from ${source}: ${reason}. Pass {"transcript", "summary"} as JSON.`,
  );
}
