/**
 * node packages/benchmarks/src/main.ts [--quick | --full] [--only ROW] [--to FOLDER]
 *
 * Measures the built packages, prints each result as it comes, and writes the page of benchmarks into docs. With
 * `--quick`, which is to try the benchmarks themselves, or `--only`, it is written only where `--to` says.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { acrossProcesses, type Row, type RowResult } from './measurement/row.ts';
import { packageFolder } from './measurement/run-node.ts';
import { type Scale, sizesOf } from './measurement/sizes.ts';
import { formatFinding } from './page/format-finding.ts';
import { type MeasuredRow, renderPage } from './page/render-page.ts';
import { readSurroundings } from './page/surroundings.ts';
import { rows } from './rows.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, full: { type: 'boolean' }, only: { type: 'string' }, to: { type: 'string' } },
});
const scale: Scale = values.quick ? 'quick' : values.full ? 'full' : 'short';
const chosen = rows.filter(({ id }) => values.only === undefined || id === values.only);
if (chosen.length === 0) {
  const known = rows.map(({ id }) => id).join(', ');
  console.error(`Failed to measure: the row ${values.only} does not exist. Name one of ${known}.`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'memory-read-benchmarks-'));
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const measured = await measureAll();
const isWhole = scale !== 'quick' && values.only === undefined;
if (isWhole || values.to !== undefined) writePage(measured, values.to ?? join(packageFolder, '..', '..', 'docs'));

async function measureAll(): Promise<MeasuredRow[]> {
  const results: MeasuredRow[] = [];
  for (const row of chosen) {
    console.log(`\n${row.title}`);
    const start = performance.now();
    const result = await measureRow(row);
    results.push({ row, result });
    for (const finding of result.findings) {
      const [value = '', goal = ''] = formatFinding(finding);
      console.log([value.padEnd(28), goal.padEnd(24), finding.what].join('  '));
    }
    for (const note of result.notes ?? []) console.log(`  ${note}`);
    console.log(`  (${((performance.now() - start) / 1_000).toFixed(1)} s)`);
  }
  return results;
}

async function measureRow({ id, isRepeated }: Row): Promise<RowResult> {
  const first = await measureApart(id);
  if (!isRepeated) return first;
  const others: RowResult[] = [];
  while (others.length + 1 < sizesOf(scale).processes) others.push(await measureApart(id));
  return acrossProcesses([first, ...others]);
}

/** @throws Error where the row failed; it has printed why. */
async function measureApart(id: string): Promise<RowResult> {
  const child = fork(fileURLToPath(new URL('measure-row.ts', import.meta.url)), [id, scale, folder]);
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  if (answer !== undefined) return answer as RowResult;
  throw new Error(`Failed to measure ${id}: its process ended. See what it printed above.`);
}

function writePage(results: readonly MeasuredRow[], target: string): void {
  const command = scale === 'full' ? 'npm run bench:full' : 'npm run bench';
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'benchmarks.md'), renderPage(results, readSurroundings(command)));
  console.log(`\nWritten: ${join(target, 'benchmarks.md')}`);
}
