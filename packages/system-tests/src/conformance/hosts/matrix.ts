import type { ConformanceReport, RuleResult } from '@memory-read/conformance';
import { type HostId, hostIds, hosts } from './hosts.ts';

/** How many rules of the specification and decisions a host passes, and how many requests that took. */
export function matrixOf(reports: Partial<Record<HostId, ConformanceReport>>): Record<string, object> {
  return Object.fromEntries(hostIds.map((id) => [hosts[id].name, cellsOf(reports[id])]));
}

/** The hosts without a report. */
export function missingHosts(reports: Partial<Record<HostId, ConformanceReport>>): HostId[] {
  return hostIds.filter((id) => reports[id] === undefined);
}

function cellsOf(report: ConformanceReport | undefined): object {
  if (report === undefined) return { specification: 'missing' };
  const { results, requests } = report;
  const count = (status: RuleResult['status'], of = results) => of.filter((each) => each.status === status).length;
  // A rule of the specification is named after its section, a decision after its page.
  const [decisions = [], specification = []] = [/^\D/, /^\d/].map((name) =>
    results.filter(({ rule }) => name.test(rule)),
  );
  return {
    specification: `${count('passed', specification)} of ${specification.length}`,
    decisions: `${count('passed', decisions)} of ${decisions.length}`,
    failed: count('failed'),
    skipped: count('skipped'),
    requests,
  };
}
