/**
 * node packages/system-tests/src/tools/run-suites/main.ts [--full] [--only NAME]
 *
 * Runs the suites, two at a time, shows what the conformance run makes of every host, and ends with a line
 * `N passed, N failed` that counts them all.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingHosts, renderMatrix } from '../../conformance/hosts/render-matrix.ts';
import { readReports, reportsVariable } from '../../conformance/hosts/reports.ts';
import { root } from '../../repository.ts';
import { runSuite } from './run-suite.ts';
import type { Suite, SuiteResult } from './suite.ts';
import { suites } from './suites.ts';

const { values } = parseArgs({ options: { full: { type: 'boolean' }, only: { type: 'string' } } });
const cache = join(root, 'node_modules', '.cache');
mkdirSync(cache, { recursive: true });
const reportFolder = mkdtempSync(join(cache, 'reports-'));
process.env[reportsVariable] = reportFolder;
const chosen = suites(reportFolder).filter((suite) =>
  values.only === undefined ? values.full || !suite.isFull : suite.name === values.only,
);

const givenUp = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => givenUp.abort());

const results = await runAll(
  chosen.filter(({ isAlone }) => !isAlone),
  givenUp.signal,
);
for (const suite of chosen.filter(({ isAlone }) => isAlone)) results.push(...(await runAll([suite], givenUp.signal)));
if (values.only === undefined) results.push(...showMatrix());
rmSync(reportFolder, { recursive: true, force: true });
printSummary(results);
// Only then: what is still on its way into a pipe would be lost with the process.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
process.exit(results.every(({ failed }) => failed === 0) && results.length > 0 ? 0 : 1);

/** Starts each suite as soon as one of two places is free and what it needs has passed. */
async function runAll(waiting: readonly Suite[], signal: AbortSignal): Promise<SuiteResult[]> {
  const running = new Map<string, Promise<SuiteResult>>();
  const done = new Map<string, SuiteResult>();
  const rest = [...waiting];
  while (rest.length > 0 || running.size > 0) {
    const index =
      running.size < 2
        ? rest.findIndex(({ needs }) => needs?.every((name) => done.has(name) || !isChosen(name)) ?? true)
        : -1;
    if (index === -1) {
      const result = await Promise.race(running.values());
      running.delete(result.name);
      done.set(result.name, result);
      continue;
    }
    const [suite] = rest.splice(index, 1) as [Suite];
    const isHopeless = signal.aborted || suite.needs?.some((name) => done.get(name)?.failed);
    running.set(suite.name, isHopeless ? Promise.resolve(notRun(suite.name)) : runSuite(suite, signal));
  }
  return waiting.flatMap(({ name }) => done.get(name) ?? []);
}

function isChosen(name: string): boolean {
  return chosen.some((suite) => suite.name === name);
}

function notRun(name: string): SuiteResult {
  return { name, passed: 0, failed: 1, skipped: [], seconds: 0 };
}

/** Shows the conformance of every host. With `--full`, one that is missing has failed: no host gets lost unnoticed. */
function showMatrix(): SuiteResult[] {
  const reports = readReports(reportFolder);
  console.log(`\n${renderMatrix(reports)}`);
  if (!values.full) return [];
  const missing = missingHosts(reports).length;
  const passed = Object.keys(reports).length;
  return [{ name: 'matrix', passed, failed: missing, skipped: [], seconds: 0 }];
}

function printSummary(results: SuiteResult[]): void {
  console.log('\nsuite     passed  failed  skipped  seconds');
  for (const { name, passed, failed, skipped, seconds } of results) {
    const cells = [
      String(passed).padStart(6),
      String(failed).padStart(6),
      String(skipped.length).padStart(7),
      seconds.toFixed(1).padStart(7),
    ];
    console.log(`${name.padEnd(10)}${cells.join('  ')}`);
  }
  const skipped = results.flatMap((result) => result.skipped);
  for (const name of skipped) console.log(`not run, because this machine lacks what it needs: ${name}`);
  const sum = (field: 'passed' | 'failed') => results.reduce((total, result) => total + result[field], 0);
  const skips = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skips}`);
}
