import { readFileSync } from 'node:fs';
import { type ConformanceReport, runConformance } from '@memory-read/conformance';
import { expect } from 'vitest';
import { hostKeys } from './host-records.ts';
import type { HostId } from './hosts.ts';
import { writeReport } from './reports.ts';
import { linesAbout, linesOf, pageAdvice, pagePath } from './results-page.ts';

/** Runs all rules over a host, which has to break none. */
export async function checkHost(host: HostId, baseUrl: string): Promise<void> {
  expectConformance(host, await runConformance({ ...hostKeys, media: true, profile: 'reference', baseUrl }));
}

/** No rule is broken, and each has the result that the page shows. The report goes into the matrix. */
export function expectConformance(host: HostId, report: ConformanceReport): void {
  writeReport(host, report);
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(report).toMatchObject({ passed: true, profile: 'reference' });
  expect(linesAbout(host, readFileSync(pagePath, 'utf8')), pageAdvice).toEqual(linesOf(host, report));
}
