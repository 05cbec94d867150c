import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createStatusLine, type StatusLine } from '../terminal/create-status-line.ts';
import { abortOnInterruption } from '../terminal/interrupted-error.ts';
import type { OutputOptions } from '../terminal/output-options.ts';
import { isForPeople, printResult } from '../terminal/print-result.ts';
import { reportFailure } from '../terminal/report-failure.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type CheckedRule, openStoreCheck, type StoreCheck } from './check-store.ts';
import type { PostgresSource } from './postgres-source.ts';

interface StoreCheckOptions extends OutputOptions {
  postgres: PostgresSource;
}

/** Maximum time for a rule. */
const limitMs = 30_000;

export async function runStoreCheck(options: StoreCheckOptions): Promise<void> {
  const { process, postgres } = options;
  const interruption = abortOnInterruption(process);
  const line = createStatusLine(options);
  let remaining = 0;
  const onRemains = (error: CommandError) => {
    remaining += 1;
    line.clear();
    reportFailure(process, error);
  };
  try {
    line.show('Checking …');
    const check = await openStoreCheck(postgres, { env: process.env, interruption, limitMs, onRemains });
    // It takes up to ten seconds if the server does not respond.
    interruption.addEventListener('abort', () => line.show('Dropping the schema …'));
    const { server, total } = check;
    const held = await printRules(check, { ...options, line, interruption });
    if (held === undefined) return;
    const text = visibleLine(`${held} of ${total} rules hold on ${server}`);
    await printResult({ json: { event: 'checked', server, total, held }, text }, options, interruption);
    if (held < total) throw failure(postgres, `it breaks ${total - held} of ${total} rules. See the report`);
    if (remaining > 0) throw failure(postgres, 'a schema may remain (see above). Drop it');
  } finally {
    line.clear();
  }
}

interface PrintOptions extends OutputOptions {
  line: StatusLine;
  interruption: AbortSignal;
}

/** Returns the number of rules that hold, or undefined once the output is closed. */
async function printRules({ rules, total }: StoreCheck, options: PrintOptions): Promise<number | undefined> {
  const { line } = options;
  let done = 0;
  let held = 0;
  for await (const rule of rules) {
    done += 1;
    if (rule.holds) held += 1;
    line.clear();
    if (!(await printRule(rule, options))) return undefined;
    line.show(`Checking … ${done} of ${total} rules, ${done - held} broken`);
  }
  line.clear();
  return held;
}

/** People see only the broken rules. */
async function printRule(rule: CheckedRule, options: PrintOptions): Promise<boolean> {
  const { suite, title, holds, error } = rule;
  if (holds && isForPeople(options)) return true;
  const text = visibleLine(`broken: ${suite}: ${title}: ${error}`);
  return printResult({ json: { event: 'case', ...rule }, text }, options, options.interruption);
}

function failure({ name }: PostgresSource, problem: string): CommandError {
  return new CommandError(exitCodes.failed, `Failed to check ${name}: ${problem}.`);
}
