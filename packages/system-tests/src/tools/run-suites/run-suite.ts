import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  const result: SuiteResult = { name: suite.name, passed: 0, failed: 0, skipped: [], seconds: 0 };
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
    result[hasPassed ? 'passed' : 'failed'] += 1;
    return;
  }
  result.passed += report.numPassedTests;
  result.failed += report.numFailedTests;
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
  result.skipped.push(...skipped);
  // CI has every tool, so only a test that is named accordingly may be skipped.
  const missed = skipped.filter((title) => !title.endsWith(', where it is installed'));
  if (process.env.CI === 'true') result.failed += missed.length;
  // A file that cannot be loaded fails the run without failing a test.
  if (!hasPassed && report.numFailedTests === 0) result.failed += 1;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

function readReport(path: string): VitestReport | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
