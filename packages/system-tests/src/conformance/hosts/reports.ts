import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceReport } from '@memory-read/conformance';
import { type HostId, hostIds } from './hosts.ts';

/** The variable with the folder for the reports of one test run. */
export const reportsVariable = 'CONFORMANCE_REPORTS';

/** Writes the report of a host, if the run collects reports. */
export function writeReport(host: HostId, report: ConformanceReport): void {
  const folder = process.env[reportsVariable];
  if (folder !== undefined) writeFileSync(pathOf(folder, host), JSON.stringify(report));
}

/** Reads the reports that the tests have written. */
export function readReports(folder: string): Partial<Record<HostId, ConformanceReport>> {
  const files = hostIds.map((host) => [host, pathOf(folder, host)] as const);
  const written = files.filter(([, path]) => existsSync(path));
  return Object.fromEntries(written.map(([host, path]) => [host, JSON.parse(readFileSync(path, 'utf8'))]));
}

/** The prefix distinguishes the file from reports of other tools in the same folder. */
function pathOf(folder: string, host: HostId): string {
  return join(folder, `conformance-${host}.json`);
}
