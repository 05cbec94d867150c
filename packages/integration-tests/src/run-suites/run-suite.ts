import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '@memory-read/test-kit/repository';
import { withoutNetwork } from '@memory-read/test-kit/without-network';
import type { Command, Suite } from './suites.ts';

export interface SuiteResult {
  name: string;
  passed: number;
  /** What failed and why, each as a file and a test, or as a command. */
  failures: string[];
  /** Tests that need tools which are not installed. With CI=true they count as failed. */
  skipped: string[];
  seconds: number;
}

interface Outcome {
  hasPassed: boolean;
  output: string;
}

const isCi = process.env.CI === 'true';
// Proves that no test downloads anything.
const isOffline = isCi && process.platform === 'linux';

/** Runs the commands of a suite. Their output is shown together when the suite has ended. */
export async function runSuite(suite: Suite, signal: AbortSignal): Promise<SuiteResult> {
  const startedAt = performance.now();
  const result: SuiteResult = { name: suite.name, passed: 0, failures: [], skipped: [], seconds: 0 };
  let output = '';
  for (const command of suite.commands) {
    const outcome = await runCommand(command, isOffline && !suite.needsNetwork, signal);
    output += outcome.output;
    count(command, outcome, result);
    if (!outcome.hasPassed) break;
  }
  result.seconds = (performance.now() - startedAt) / 1000;
  console.log(`\n=== ${suite.name} (${result.seconds.toFixed(1)} s)\n${output.trimEnd()}`);
  return result;
}

/** Without a network, a command reaches only servers that it starts itself. */
function runCommand({ run, folder = '' }: Command, isOffline: boolean, signal: AbortSignal): Promise<Outcome> {
  const [program = '', ...args] = isOffline ? [...withoutNetwork, ...run] : run;
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(program, args, { cwd: join(root, folder), stdio: ['ignore', 'pipe', 'pipe'], signal });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', ({ message }) => {
      output += `\nFailed to run ${program}: ${message}. Check that the program is installed.`;
      resolve({ hasPassed: false, output });
    });
    child.on('close', (code) => resolve({ hasPassed: code === 0, output }));
  });
}

function count({ run, report: path }: Command, { hasPassed, output }: Outcome, result: SuiteResult): void {
  const report = path === undefined ? undefined : readReport(path);
  if (report === undefined) {
    if (hasPassed) result.passed += 1;
    else result.failures.push(run.join(' '));
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
  if (!hasPassed && failures.length === 0) failures.push(`${run.join(' ')}\n${unhandledErrors(output)}`);
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  result.skipped.push(...skipped.map(({ fullName }) => fullName));
  // CI has every tool, so only a test that is named accordingly may be skipped.
  const missed = isCi ? result.skipped.filter((title) => !title.endsWith(', where it is installed')) : [];
  result.failures.push(...failures, ...missed.map((title) => `not run: ${title}`));
}

/** What Vitest prints of errors outside of every test. They fail a run whose tests all pass, and no report has them. */
function unhandledErrors(output: string): string {
  const start = output.indexOf('Unhandled Error');
  return start < 0 ? output.slice(-2000) : output.slice(start, start + 4000);
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
