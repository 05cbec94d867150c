/**
 * node packages/system-tests/src/tools/run-suites/main.ts [--full] [--only NAME]
 *
 * Runs two suites at a time, and prints the conformance results of every host. The last line `N passed, N failed`
 * counts all suites.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { matrixOf, missingHosts } from '../../conformance/hosts/matrix.ts';
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

// Proves that no test downloads anything.
const isOffline = values.full === true && process.platform === 'linux';

const givenUp = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => givenUp.abort());

const results = await runAll(chosen.filter(({ isAlone }) => !isAlone));
results.push(...(await runAll(chosen.filter(({ isAlone }) => isAlone))));
if (values.only === undefined) results.push(...showMatrix());
rmSync(reportFolder, { recursive: true, force: true });
printSummary(results);
// `process.exit` would discard output that is still being written.
await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
process.exit(results.every(({ failures }) => failures.length === 0) && results.length > 0 ? 0 : 1);

/** Runs two suites at a time, in their order. A suite comes after those that it needs. */
async function runAll(waiting: readonly Suite[]): Promise<SuiteResult[]> {
  const started = new Map<string, Promise<SuiteResult>>();
  const next = waiting.values();
  const runInTurn = async () => {
    for (const suite of next) {
      const needed = (suite.needs ?? []).map((name) => started.get(name));
      const result = Promise.all(needed).then((done) => runAfter(suite, done));
      started.set(suite.name, result);
      await result;
    }
  };
  await Promise.all([runInTurn(), runInTurn()]);
  return Promise.all(started.values());
}

async function runAfter(suite: Suite, needed: readonly (SuiteResult | undefined)[]): Promise<SuiteResult> {
  const isHopeless =
    givenUp.signal.aborted || needed.some((result) => result !== undefined && result.failures.length > 0);
  return isHopeless
    ? { name: suite.name, passed: 0, failures: ['not run'], skipped: [], seconds: 0 }
    : runSuite(suite, { hasNetwork: !isOffline || suite.needsNetwork === true, signal: givenUp.signal });
}

/** Shows the conformance of every host. With `--full`, a missing host counts as failed. */
function showMatrix(): SuiteResult[] {
  const reports = readReports(reportFolder);
  console.log('\nconformance');
  console.table(matrixOf(reports));
  if (!values.full) return [];
  const failures = missingHosts(reports).map((host) => `no report of ${host}`);
  return [{ name: 'matrix', passed: Object.keys(reports).length, failures, skipped: [], seconds: 0 }];
}

function printSummary(results: SuiteResult[]): void {
  const rows = results.map(({ name, passed, failures, skipped, seconds }) => {
    return [name, { passed, failed: failures.length, skipped: skipped.length, seconds: Number(seconds.toFixed(1)) }];
  });
  console.table(Object.fromEntries(rows));
  const skipped = results.flatMap((result) => result.skipped);
  for (const name of skipped) console.log(`not run, this machine lacks what it needs: ${name}`);
  // Who has only the end of a long log, as CI may keep it, learns here what failed.
  const failures = results.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));
  for (const failure of failures) console.log(`\nfailed in ${failure}`);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  const skips = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  console.log(`\n${passed} passed, ${failures.length} failed${skips}`);
}
