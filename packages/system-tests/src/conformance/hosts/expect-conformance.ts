import { readFileSync } from 'node:fs';
import { type ConformanceReport, runConformance } from '@memory-read/conformance';
import { runKeys } from '@memory-read/integration-tests/parity/world';
import { serve } from '@memory-read/server/node';
import type { WholeStore } from '@memory-read/test-kit/memory-service';
import { expect, onTestFinished } from 'vitest';
import { hostApi } from './host-api.ts';
import type { HostId } from './hosts.ts';
import { writeReport } from './reports.ts';
import { linesAbout, linesOf, pageAdvice, pagePath } from './results-page.ts';

/** Runs all rules against the server on Node, over a store that is still empty. */
export async function checkStore(host: HostId, store: WholeStore): Promise<void> {
  const server = await serve({ port: 0, fetch: hostApi(store) });
  onTestFinished(() => server.close());
  await checkHost(host, server.url);
}

/** Runs all rules against a host, which must not break any. */
export async function checkHost(host: HostId, baseUrl: string): Promise<void> {
  expectConformance(host, await runConformance({ ...runKeys, media: true, profile: 'reference', baseUrl }));
}

/** Expects that no rule fails, and that each result equals that of the page. Adds the report to the matrix. */
export function expectConformance(host: HostId, report: ConformanceReport): void {
  writeReport(host, report);
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(report).toMatchObject({ passed: true, profile: 'reference' });
  expect(linesAbout(host, readFileSync(pagePath, 'utf8')), pageAdvice).toEqual(linesOf(host, report));
}
