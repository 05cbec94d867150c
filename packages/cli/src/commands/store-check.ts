import type { Command } from 'commander';
import { durationOption } from '../options/parse-duration.ts';
import type { CheckedRule, StoreCheck } from '../storage/check-store.ts';
import type { PostgresSource } from '../storage/postgres-source.ts';
import { postgresOption } from '../storage/storage-options.ts';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createStatusLine } from '../terminal/create-status-line.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import { jsonOption, type OutputOptions } from '../terminal/output-options.ts';
import { isForPeople, printResult } from '../terminal/print-result.ts';
import { reportFailure } from '../terminal/report-failure.ts';
import { visibleLine } from '../terminal/visible-text.ts';

interface StoreCheckOptions extends OutputOptions {
  postgres: PostgresSource;
  limit: number;
}

export function define(command: Command, { env }: CliProcess): void {
  command
    .addOption(postgresOption('PostgreSQL database to check', env).makeOptionMandatory())
    .addOption(jsonOption())
    // For tests.
    .addOption(durationOption('--limit', '', [30_000, '30s']).hideHelp())
    .addHelpText('after', help)
    .action(runStoreCheck);
}

const help = `
Checks every rule that serve relies on, one after the other, each in a schema
memory_read_check_… that is dropped afterwards. No other schema is read or
changed. The user must be allowed to create schemas. A rule that takes longer
than 30 s is broken.
Ends with 0 only if every rule holds.

Lines of JSON: {"event":"case","suite":…,"title":…,"holds":…,"elapsedMs":…} with
"error" if the rule is broken, and at the end
{"event":"checked","server":…,"total":…,"held":…}.

Example:
  memory-read store-check --postgres env:DATABASE_URL`;

async function runStoreCheck(options: StoreCheckOptions): Promise<void> {
  const { process, postgres, limit: limitMs } = options;
  const interruption = abortOnInterruption(process);
  const { openStoreCheck } = await import('../storage/check-store.ts');
  let remaining = 0;
  const onRemains = (error: CommandError) => {
    remaining += 1;
    reportFailure(process, error);
  };
  const check = await openStoreCheck(postgres, { env: process.env, interruption, limitMs, onRemains });
  const held = await printRules(check, options, interruption);
  if (held === undefined) return;
  const { server, total } = check;
  const json = { event: 'checked', server, total, held };
  const text = visibleLine(`${held} of ${total} rules hold on ${server}`);
  await printResult({ json, text }, options, interruption);
  if (held < total) throw failure(postgres, `it breaks ${total - held} of ${total} rules. See the report`);
  if (remaining > 0) throw failure(postgres, 'a schema may remain (see above). Drop it');
}

/** Returns the number of rules that hold, or undefined once the output is closed. */
async function printRules(
  { rules, total }: StoreCheck,
  options: StoreCheckOptions,
  interruption: AbortSignal,
): Promise<number | undefined> {
  const line = createStatusLine(options);
  const counts = { done: 0, held: 0 };
  const showProgress = () =>
    line.show(`Checking … ${counts.done} of ${total} rules, ${counts.done - counts.held} broken`);
  try {
    showProgress();
    for await (const rule of rules) {
      counts.done += 1;
      if (rule.holds) counts.held += 1;
      line.clear();
      if (!(await printRule(rule, options, interruption))) return undefined;
      showProgress();
    }
    return counts.held;
  } finally {
    line.clear();
  }
}

/** People see only the broken rules. */
async function printRule(rule: CheckedRule, options: StoreCheckOptions, interruption: AbortSignal): Promise<boolean> {
  const { suite, title, holds, error } = rule;
  if (holds && isForPeople(options)) return true;
  const text = visibleLine(`broken: ${suite}: ${title}: ${error}`);
  return printResult({ json: { event: 'case', ...rule }, text }, options, interruption);
}

function failure({ name }: PostgresSource, problem: string): CommandError {
  return new CommandError(exitCodes.failed, `Failed to check ${name}: ${problem}.`);
}
