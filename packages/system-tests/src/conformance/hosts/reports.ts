import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceReport } from '@memory-read/conformance';
import { type HostId, hostIds } from './hosts.ts';

/** The variable with the folder in which the tests of one run leave their reports. */
export const reportsVariable = 'CONFORMANCE_REPORTS';

/** Leaves the report of a host, where the run wants one. */
export function writeReport(host: HostId, report: ConformanceReport): void {
  const folder = process.env[reportsVariable];
  if (folder !== undefined) writeFileSync(pathOf(folder, host), JSON.stringify(report));
}

/** The reports that the tests left. */
export function readReports(folder: string): Partial<Record<HostId, ConformanceReport>> {
  const files = hostIds.map((host) => [host, pathOf(folder, host)] as const);
  const written = files.filter(([, path]) => existsSync(path));
  return Object.fromEntries(written.map(([host, path]) => [host, JSON.parse(readFileSync(path, 'utf8'))]));
}

/** Other tools leave their reports in the same folder. */
function pathOf(folder: string, host: HostId): string {
  return join(folder, `conformance-${host}.json`);
}
