import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { MemoryStoreAdmin } from '@memory-read/server';
import type { Command } from 'commander';
import { notEmpty } from '../arguments/not-empty.ts';
import { CommandError, exitCodes } from '../errors/command-error.ts';
import { openExistingStorage } from '../storage/open-storage.ts';
import { addStorageOptions, type StorageOptions } from '../storage/storage-options.ts';
import { printResult } from '../terminal/print-result.ts';

interface FinishOptions extends StorageOptions {
  account: string;
  json?: boolean | undefined;
}

type ProcessingResult = Parameters<MemoryStoreAdmin['finishProcessing']>[2];

export function addFinishCommand(program: Command): void {
  const command = program
    .command('finish')
    .description('End the processing of a memory with its transcript and summary.')
    .argument('<memory-id>', 'id of the memory')
    .argument('<file>', 'JSON {"transcript", "summary"}, null where there is none; - reads standard input')
    .requiredOption('--account <user-id>', 'user_id of its owner', notEmpty('--account'));
  addStorageOptions(command)
    .option('--json', 'print the result as JSON, as without a terminal')
    .addHelpText('after', help)
    .action(runFinish);
}

const help = `
The memory is no longer processing then; what it had as transcript and summary is replaced.

Examples:
  memory-read finish mem_1 result.json --account user_1
  echo '{"transcript":null,"summary":null}' | memory-read finish mem_1 - --account user_1`;

async function runFinish(memoryId: string, file: string, options: FinishOptions): Promise<void> {
  const result = parseResult(await readSource(file), file);
  const storage = await openExistingStorage(options);
  try {
    if (!(await storage.finishProcessing(options.account, memoryId, result))) {
      throw new CommandError(
        exitCodes.notFound,
        `Failed to finish ${JSON.stringify(memoryId)}: because ${options.account} has no such memory. Check both ids.`,
      );
    }
    const json = { event: 'finished', memoryId, userId: options.account };
    await printResult({ json, text: `Finished ${memoryId} of ${options.account}.` }, options);
  } finally {
    await storage.close();
  }
}

async function readSource(file: string): Promise<Uint8Array> {
  if (file === '-') return buffer(process.stdin);
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unusable(file, `it cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}

/** Whether transcript and summary are what a store keeps, the store checks itself. */
function parseResult(bytes: Uint8Array, file: string): ProcessingResult {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own words would quote the text.
    throw unusable(file, 'it is no JSON');
  }
  if (
    Array.isArray(value) ||
    Object.keys(value ?? {})
      .sort()
      .join() !== 'summary,transcript'
  ) {
    throw unusable(file, 'it is no object with the fields transcript and summary alone');
  }
  return value as ProcessingResult;
}

function unusable(file: string, reason: string): CommandError {
  const source = file === '-' ? 'standard input' : file;
  return new CommandError(
    exitCodes.failed,
    `Failed to read the result from ${source}: because ${reason}. Pass {"transcript", "summary"} as JSON.`,
  );
}
