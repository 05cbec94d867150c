import type { MemoryClient, WaitOptions, WaitOutcome } from '@memory-read/client';
import type { Command } from 'commander';
import { accountSource } from '../ids/account-source.ts';
import {
  type FindOptions,
  findLatest,
  findMemory,
  latest,
  type MemorySource,
  readMemoryText,
} from '../ids/find-memory.ts';
import { addConnectionOptions, type ConnectionOptions } from '../options/connection-options.ts';
import { connect } from '../options/open-client.ts';
import { durationOption } from '../options/parse-duration.ts';
import { readConnection } from '../options/read-connection.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes, isCommandError } from '../terminal/command-error.ts';
import { explainFailure } from '../terminal/explain-failure.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { addOutputOptions, type OutputOptions } from '../terminal/output-options.ts';
import { printResult } from '../terminal/print-result.ts';
import { quantity } from '../terminal/quantity.ts';
import { visibleLine } from '../terminal/visible-text.ts';

interface CommandOptions extends ConnectionOptions, OutputOptions {
  /** Timeout in milliseconds. */
  timeout: number;
}

export function define(command: Command): void {
  command
    .argument(
      '<memory-ids...>',
      'ids of the memories, latest for the newest, or words; on a terminal, beginnings of ids',
    )
    .addOption(durationOption('--timeout', 'give up after this long, such as 90s or 2h', [900_000, '15m']));
  addOutputOptions(addConnectionOptions(command)).addHelpText('after', help).action(runWait);
}

const help = `
Prints a line of JSON when the wait for a memory ends:
{"memoryId":…,"status":"processed","memory":{…}}, or with the status not_found,
timed_out or failed, and "error":{"code":…,"message":…}.
Ends with 0 if all are processed, with 1 if one failed, 4 if one does not exist,
5 if one timed out, and at once with 3 if the key is refused.

Examples:
  memory-read wait mem_1
  memory-read wait mem_1 mem_2 --timeout 1h && echo "both can be read"`;

async function runWait(memoryIds: string[], options: CommandOptions): Promise<void> {
  // Listen for interruptions before the first output.
  const signal = abortOnInterruption(options.process);
  const texts = memoryIds.map(readMemoryText);
  const client = await connect(await readConnection(options));
  const { createStatusLine } = await import('../terminal/create-status-line.ts');
  const status = createStatusLine(options);
  const source = accountSource(client, options.process);
  const find = { ...options, signal, takesProcessing: true };
  const ids = texts.map((text) => (text === latest ? findLatest(source, find) : text));
  const waiting = new Set(await Promise.all(ids));
  const failures: FailedOutcome[] = [];
  const showWaiting = () => status.show(`Waiting for ${quantity(waiting.size, 'memory', 'memories')} …`);
  const complete = async (outcome: FailedOutcome) => {
    status.clear();
    const settled = await completed(source, outcome, find);
    if (typeof settled === 'string') waiting.add(settled);
    if (waiting.size > 0) showWaiting();
    return settled;
  };
  try {
    showWaiting();
    for await (const outcome of waitForAll(client, waiting, { maxWait: options.timeout, signal }, complete)) {
      if (outcome.status !== 'processed') failures.push(outcome);
      status.clear();
      if (!(await printResult({ json: toJson(options.process, outcome), text: toText(outcome) }, options, signal)))
        return;
      // With an invalid key, no other memory can be read.
      if (outcome.status === 'failed' && outcome.error.code === 'authentication') throw outcome.error;
      if (waiting.size > 0) showWaiting();
    }
  } finally {
    status.clear();
  }
  throwIfFailed(options.process, failures, memoryIds.length);
}

type ProcessedOutcome = Extract<WaitOutcome, { status: 'processed' }>;

/** An outcome of the client, or the error of a prefix that was rejected. */
type FailedOutcome = Pick<Exclude<WaitOutcome, ProcessedOutcome>, 'memoryId' | 'status'> & {
  error: Error & { code: string };
};

/** Yields outcomes, and removes their ids from `waiting`. If `complete` adds a whole id, it waits for that memory too. */
async function* waitForAll(
  client: MemoryClient,
  waiting: Set<string>,
  options: WaitOptions,
  complete: (outcome: FailedOutcome) => Promise<string | FailedOutcome>,
): AsyncGenerator<ProcessedOutcome | FailedOutcome> {
  while (waiting.size > 0) {
    for await (const outcome of client.waitForMemories(waiting, options)) {
      waiting.delete(outcome.memoryId);
      const settled = outcome.status === 'not_found' ? await complete(outcome) : outcome;
      if (typeof settled === 'string') break;
      yield settled;
    }
  }
}

/** Returns the whole id, or the outcome with the reason why the id stays unknown. */
async function completed(
  source: MemorySource,
  outcome: FailedOutcome,
  options: FindOptions,
): Promise<string | FailedOutcome> {
  try {
    return (await findMemory(source, outcome.memoryId, options)) ?? outcome;
  } catch (error) {
    options.signal.throwIfAborted();
    if (!isCommandError(error)) return outcome;
    // The user ended the question.
    if (error.exitCode !== exitCodes.notFound) throw error;
    return { ...outcome, error: Object.assign(error, { code: outcome.error.code }) };
  }
}

function toJson(process: CliProcess, outcome: ProcessedOutcome | FailedOutcome): object {
  if (outcome.status === 'processed') return outcome;
  return { ...outcome, error: { code: outcome.error.code, message: explainFailure(process, outcome.error) } };
}

function toText(outcome: ProcessedOutcome | FailedOutcome): string {
  const name = outcome.status === 'processed' ? `  ${outcome.memory.name}` : '';
  return visibleLine(`${outcome.status.replace('_', ' ').padEnd('processed'.length)}  ${outcome.memoryId}${name}`);
}

/** Throws an error with the exit code of the most severe failure. */
function throwIfFailed(process: CliProcess, failures: readonly FailedOutcome[], total: number): void {
  const [first, ...others] = ['failed', 'not_found', 'timed_out'].flatMap((status) =>
    failures.filter((failure) => failure.status === status),
  );
  if (first === undefined) return;
  if (others.length === 0) throw new CommandError(exitCodeOf[first.status], explainFailure(process, first.error));
  const cause = failures.find(({ error }) => error.cause !== undefined)?.error.cause;
  throw new CommandError(exitCodeOf[first.status], summaryOf(failures, total), { cause });
}

const exitCodeOf = { failed: exitCodes.failed, not_found: exitCodes.notFound, timed_out: exitCodes.timedOut };

function summaryOf(failures: readonly FailedOutcome[], total: number): string {
  const reasons = failures.map((failure) => `${JSON.stringify(failure.memoryId)} ${phraseOf(failure)}`);
  return `Failed to wait for ${failures.length} of ${total} memories: ${reasons.join(', ')}. Check the ids, or pass a longer --timeout.`;
}

function phraseOf({ status, error }: FailedOutcome): string {
  if (status === 'not_found') return 'does not exist';
  return status === 'timed_out' && 'memory' in error && error.memory ? 'is still processing' : 'could not be read';
}
