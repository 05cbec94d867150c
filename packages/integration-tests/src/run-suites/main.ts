/**
 * node packages/integration-tests/src/run-suites/main.ts [--full] [--only NAME]
 *
 * Runs the suites of `npm test`, or with `--full` those that `npm run test:full` adds. The last line
 * `N passed, N failed` counts all suites; with `--full` also those of the `npm test` before.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '@memory-read/test-kit/repository';
import { runSuite, type SuiteResult } from './run-suite.ts';
import { type Suite, suites } from './suites.ts';

const { values } = parseArgs({ options: { full: { type: 'boolean', default: false }, only: { type: 'string' } } });
const cache = join(root, 'node_modules', '.cache');
const resultsOfTest = join(cache, 'npm-test.json');
mkdirSync(cache, { recursive: true });
const reportFolder = mkdtempSync(join(cache, 'reports-'));
const chosen = suites(reportFolder).filter(({ name, isFull = false }) =>
  values.only === undefined ? isFull === values.full : name === values.only,
);

const givenUp = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => givenUp.abort());

const results: SuiteResult[] = values.full ? JSON.parse(readFileSync(resultsOfTest, 'utf8')) : [];
results.push(...(await runAll(chosen.filter(({ isAlone }) => !isAlone))));
results.push(...(await runAll(chosen.filter(({ isAlone }) => isAlone))));
if (values.only === undefined && !values.full) writeFileSync(resultsOfTest, JSON.stringify(results));
rmSync(reportFolder, { recursive: true, force: true });
printSummary();
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
  const isHopeless = givenUp.signal.aborted || needed.some((result) => result && result.failures.length > 0);
  if (isHopeless) return { name: suite.name, passed: 0, failures: ['not run'], skipped: [], seconds: 0 };
  return runSuite(suite, givenUp.signal);
}

function printSummary(): void {
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
