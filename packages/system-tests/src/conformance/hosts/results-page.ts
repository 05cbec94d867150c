import { type ConformanceReport, conformanceRules, type RuleResult } from '@memory-read/conformance';
import { hosts } from './hosts.ts';

export const pagePath = 'docs/conformance-results.md';

const marks = { passed: '✓', failed: '✗', skipped: '–' };

/** Returns the page for the reports of all hosts, in their order. */
export function renderPage(reports: readonly ConformanceReport[]): string {
  const names = hosts.map(({ name }) => name);
  const columns = reports.map(({ results }) => new Map(results.map((result) => [result.rule, marks[result.status]])));
  const remarks = reports.flatMap(({ results }, index) =>
    results.filter(({ status }) => status !== 'passed').map((result) => [names[index], result.rule, reasonOf(result)]),
  );
  return [
    introduction,
    ...table([['Host', 'What runs'], ...hosts.map(({ name, what }) => [name, what])]),
    '\n## Every rule on every host\n',
    ...table([
      ['Rule', ...names],
      ...conformanceRules.map(({ id }) => [id, ...columns.map((marked) => marked.get(id))]),
    ]),
    '\n## What was not passed\n',
    ...table([['Host', 'Rule', 'Reason'], ...remarks]),
    '',
  ].join('\n');
}

const introduction = `# Conformance results

The results of every host of the server and of the mock for every [rule](guides/conformance.md#every-rule), with all keys,
with media, and with the profile \`reference\`: ✓ passed, – skipped, ✗ failed. \`npm run test:full\` runs them all, and fails if a
result differs from this page.
`;

function reasonOf(result: RuleResult): string {
  if (result.status === 'skipped') return result.reason;
  return result.status === 'failed' ? `failed: ${result.evidence.received}` : '';
}

function table([head = [], ...rows]: (string | undefined)[][]): string[] {
  const row = (cells: (string | undefined)[]) => `| ${cells.join(' | ')} |`;
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)];
}
