import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../repository.ts';
import { withoutNetwork } from '../without-network.ts';
import type { Command, Suite, SuiteResult } from './suite.ts';

interface SuiteRun {
  /** Without a network, a command reaches only servers that it starts itself. */
  hasNetwork: boolean;
  signal: AbortSignal;
}

/** Runs the commands of a suite. Their output is shown together when the suite has ended. */
export async function runSuite(suite: Suite, run: SuiteRun): Promise<SuiteResult> {
  const startedAt = performance.now();
  const result: SuiteResult = { name: suite.name, passed: 0, failures: [], skipped: [], seconds: 0 };
  let output = '';
  const steps = suite.isParallel ? [suite.commands] : suite.commands.map((command) => [command]);
  for (const step of steps) {
    const outcomes = await Promise.all(step.map(async (command) => ({ command, ...(await runCommand(command, run)) })));
    for (const outcome of outcomes) {
      output += outcome.output;
      count(outcome.command, outcome.hasPassed, result);
    }
    if (outcomes.some(({ hasPassed }) => !hasPassed)) break;
  }
  result.seconds = (performance.now() - startedAt) / 1000;
  console.log(`\n=== ${suite.name} (${result.seconds.toFixed(1)} s)\n${output.trimEnd()}`);
  return result;
}

function runCommand(
  command: Command,
  { hasNetwork, signal }: SuiteRun,
): Promise<{ hasPassed: boolean; output: string }> {
  const [program = '', ...args] = hasNetwork ? command.run : [...withoutNetwork, ...command.run];
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, args, {
      cwd: join(root, command.folder ?? ''),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) =>
      resolve({
        hasPassed: false,
        output: `${output}\nFailed to run ${program}: ${error.message}. Check that the program is installed.`,
      }),
    );
    child.on('close', (code) => resolve({ hasPassed: code === 0, output }));
  });
}

function count(command: Command, hasPassed: boolean, result: SuiteResult): void {
  const report = command.report === undefined ? undefined : readReport(command.report);
  if (report === undefined) {
    if (hasPassed) result.passed += 1;
    else result.failures.push(command.run.join(' '));
    return;
  }
  result.passed += report.numPassedTests;
  const failures: string[] = [];
  for (const { name, message, status, assertionResults } of report.testResults) {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    failures.push(...failed.map((test) => `${file}: ${test.fullName}\n${shorten(test.failureMessages.join('\n'))}`));
    // A file that cannot be loaded fails without failing a test.
    if (status === 'failed' && failed.length === 0) failures.push(`${file}\n${message}`);
  }
  if (!hasPassed && failures.length === 0) failures.push(command.run.join(' '));
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
  result.skipped.push(...skipped);
  // CI has every tool, so only a test that is named accordingly may be skipped.
  const missed = skipped.filter((title) => !title.endsWith(', where it is installed'));
  if (process.env.CI === 'true') failures.push(...missed.map((title) => `not run: ${title}`));
  result.failures.push(...failures);
}

/** Leaves out the lines of the stack that are not of this repository, and the end of a long difference. */
function shorten(message: string): string {
  const lines = message.split('\n').filter((line) => !/node_modules|node:internal/.test(line));
  return lines.slice(0, 20).join('\n');
}

interface VitestReport {
  numPassedTests: number;
  testResults: {
    /** Path of the file. */
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

function readReport(path: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
