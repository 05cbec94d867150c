import { readFileSync } from 'node:fs';
import type { JudgeOptions, JudgeReport, JudgeRules } from '@memory-read/conformance/clients';
import { type Command, Option } from 'commander';
import { notEmpty } from '../options/not-empty.ts';
import { parseCount } from '../options/parse-count.ts';
import { durationOption } from '../options/parse-duration.ts';
import { printReport, type ReportOptions, reportOption } from '../output/report-option.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { asUsageError, CommandError, exitCodes, usageError } from '../terminal/command-error.ts';
import { createStatusLine } from '../terminal/create-status-line.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonLine } from '../terminal/json-line.ts';
import { print } from '../terminal/print.ts';
import { quantity } from '../terminal/quantity.ts';

interface JudgeCommandOptions extends ReportOptions {
  rules: JudgeRules;
  only?: string[] | undefined;
  knownFailures?: string | undefined;
  timeout: number;
  attemptTimeout: number;
  concurrency: number;
  list?: boolean | undefined;
}

export function define(command: Command): void {
  command
    .usage('[options] -- COMMAND [argument...]')
    .argument('[command...]', 'program that reads as its environment says, and its arguments')
    .addOption(
      new Option('--rules <rules>', 'reference: also recovery, such as retries and resumed downloads')
        .choices(['safe', 'reference'])
        .default('safe'),
    )
    .addOption(
      new Option('--only <names>', 'ids and sections of scenarios; several with commas, or repeated').argParser(
        (text: string, before: readonly string[] = []) => [...before, ...notEmpty('--only')(text).split(/\s*,\s*/)],
      ),
    )
    .option('--known-failures <file>', 'scenarios that are known to fail: an id a line, comments after #')
    .addOption(durationOption('--timeout', 'limit for one run of the command', [20_000, '20s']))
    .addOption(durationOption('--attempt-timeout', 'limit that the command sets for one attempt', [1_000, '1s']))
    .addOption(
      new Option('--concurrency <number>', 'number of commands that run in parallel')
        .argParser(parseCount('--concurrency', 64))
        .default(2),
    )
    .addOption(reportOption())
    .option('--list', 'print the scenarios, and run nothing')
    .addHelpText('after', help)
    .action(runJudge);
}

const help = `
Runs the command once in each scenario. Variables of its environment name the
server, the key and what to read. The last line that it prints is the result:
{"ok":true,…}, {"ok":false,"error":…} or {"skip":…}.
Ends with 0 only if no scenario failed and at least one passed.

Examples:
  memory-read judge -- python3 client.py
  memory-read judge --rules reference --only retries,media -- node client.mjs
  memory-read judge --report junit -- ./client > clients.xml`;

async function runJudge(command: string[], options: JudgeCommandOptions): Promise<void> {
  const { process } = options;
  const { clientScenarios, formatJudgeReport } = await import('@memory-read/conformance/clients');
  if (options.list) {
    const lines = clientScenarios.map(({ id, section, title, operation, profile }) =>
      jsonLine({ id, section, title, operation, profile }),
    );
    await print(process, lines.join(''));
    return;
  }
  const { rules, only, knownFailures, timeout, attemptTimeout, concurrency } = options;
  const known = knownFailures === undefined ? undefined : readIds(knownFailures);
  const signal = abortOnInterruption(process);
  const limits = { timeout, attemptTimeout, concurrency };
  const report = await judge(process, { command, rules, only, knownFailures: known, ...limits, signal });
  await printReport((format) => formatJudgeReport(report, format), options, signal);
  throwIfFailed(report);
}

function readIds(path: string): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.map((line) => line.replace(/#.*/, '').trim()).filter((id) => id !== '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageError(`--known-failures: the file cannot be read (${code}). Pass a file with an id a line.`);
  }
}

async function judge(process: CliProcess, options: JudgeOptions): Promise<JudgeReport> {
  const { judgeClient } = await import('@memory-read/conformance/clients');
  const line = createStatusLine({ process });
  const counts = { done: 0, failed: 0 };
  const onResult: JudgeOptions['onResult'] = ({ status }, total) => {
    counts.done += 1;
    if (status === 'failed') counts.failed += 1;
    line.show(`Judging … ${counts.done} of ${quantity(total, 'scenario', 'scenarios')}, ${counts.failed} failed`);
  };
  try {
    line.show('Judging …');
    return await judgeClient({ ...options, onResult });
  } catch (error) {
    throw asUsageError(error, 'Failed to judge', withOptionNames);
  } finally {
    line.clear();
  }
}

/** Replaces names of the library by those of the command. */
function withOptionNames(message: string): string {
  return message
    .replace('command is empty. Pass', 'there is no command. Pass, after --,')
    .replace(/: (only|knownFailures) /, (_found, name) => `: ${name === 'only' ? '--only' : '--known-failures'} `)
    .replace('of clientScenarios', 'from memory-read judge --list')
    .replace("rules: 'reference'", '--rules reference');
}

function throwIfFailed({ command, passed, results }: JudgeReport): void {
  if (passed) return;
  const failed = results.filter(({ status }) => status === 'failed').length;
  const scenarios = quantity(results.length, 'scenario', 'scenarios');
  const reason = failed === 0 ? 'no scenario passed' : `it fails ${failed} of ${scenarios}`;
  throw new CommandError(exitCodes.failed, `Failed to judge ${JSON.stringify(command)}: ${reason}. See the report.`);
}
