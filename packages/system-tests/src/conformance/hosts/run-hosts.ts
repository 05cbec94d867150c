import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceReport } from '@memory-read/conformance';
import { root } from '@memory-read/test-kit/repository';
import { type HostId, hostIds } from './hosts.ts';
import { readReports, reportsVariable } from './reports.ts';
import { renderPage } from './results-page.ts';

/** Runs the conformance tests of all hosts, and returns the page with their results. */
export function resultsOfHosts(): string {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-conformance-'));
  const projects = ['system', 'postgres', 'msw-2'].map((project) => `--project=${project}`);
  // A failure is ignored: these tests compare with the old page, which is about to be rewritten.
  spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...projects, 'packages/system-tests/src/conformance/hosts'],
    { cwd: root, env: { ...process.env, [reportsVariable]: folder }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const reports = readReports(folder);
  rmSync(folder, { recursive: true });
  const missing = hostIds.filter((id) => reports[id] === undefined);
  if (missing.length === 0) return renderPage(reports as Record<HostId, ConformanceReport>);
  throw new Error(`Failed to write the results: ${missing.join(', ')} left none. See the tests above.`);
}
