import type { ConformanceReport, RuleResult } from '@memory-read/conformance';
import { type HostId, hostIds, hosts } from './hosts.ts';

/** One row a host: what it kept of the specification and of the decisions, and how many requests that took. */
export function renderMatrix(reports: Partial<Record<HostId, ConformanceReport>>): string {
  const header = ['conformance', 'specification', 'decisions', 'failed', 'skipped', 'requests'];
  const rows = hostIds.map((id) => [hosts[id].name, ...cellsOf(reports[id])]);
  return [header, ...rows]
    .map(([name = '', ...cells]) => {
      const padded = cells.map((cell, index) => cell.padStart(header[index + 1]?.length ?? 0));
      return [name.padEnd(14), ...padded].join('  ').trimEnd();
    })
    .join('\n');
}

/** The hosts of which there is no report. */
export function missingHosts(reports: Partial<Record<HostId, ConformanceReport>>): HostId[] {
  return hostIds.filter((id) => reports[id] === undefined);
}

function cellsOf(report: ConformanceReport | undefined): string[] {
  if (report === undefined) return ['missing'];
  const { results, requests } = report;
  const [specification, decisions] = [
    results.filter(isOfSpecification),
    results.filter((each) => !isOfSpecification(each)),
  ];
  return [
    `${count(specification, 'passed')} of ${specification.length}`,
    `${count(decisions, 'passed')} of ${decisions.length}`,
    `${count(results, 'failed')}`,
    `${count(results, 'skipped')}`,
    `${requests}`,
  ];
}

/** Rules of the specification are named after its sections, decisions after their pages. */
function isOfSpecification({ rule }: RuleResult): boolean {
  return /^\d/.test(rule);
}

function count(results: readonly RuleResult[], status: RuleResult['status']): number {
  return results.filter((result) => result.status === status).length;
}
