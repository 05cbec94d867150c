import { type ConformanceReport, conformanceRules, type RuleResult } from '@memory-read/conformance';
import { hosts } from './hosts.ts';

export const pagePath = 'docs/conformance-results.md';

/** Returns the page for the reports of all hosts, in their order. */
export function renderPage(reports: readonly ConformanceReport[]): string {
  const ofHosts = reports.map(({ results }, index) => {
    const others = results.filter(({ status }) => status !== 'passed');
    return { name: hosts[index]?.name, what: hosts[index]?.what, passed: results.length - others.length, others };
  });
  return [
    introduction,
    ...table(
      ['Host', 'What runs', 'Passed'],
      ofHosts.map(({ name, what, passed }) => [name, what, String(passed)]),
    ),
    '\n## What was not passed\n',
    ...table(
      ['Host', 'Rule', 'Reason'],
      ofHosts.flatMap(({ name, others }) => others.map((result) => [name, result.rule, reasonOf(result)])),
    ),
    '',
  ].join('\n');
}

const introduction = `# Conformance results

Each host of the server and of the mock runs all ${conformanceRules.length} [rules](reference/conformance.md), with all keys, with media, and with
the profile \`reference\`. \`npm run test:full\` runs them again, and fails if a result differs from this page.
`;

function reasonOf(result: RuleResult): string {
  if (result.status === 'skipped') return `skipped: ${result.reason}`;
  return result.status === 'failed' ? `failed: ${result.evidence.received}` : '';
}

/** Returns the lines of a table of Markdown. */
export function table(head: readonly string[], rows: (string | undefined)[][]): string[] {
  const row = (cells: readonly (string | undefined)[]) => `| ${cells.join(' | ')} |`;
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)];
}
