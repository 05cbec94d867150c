import { join } from 'node:path';
import { type ConformanceReport, conformanceRules, type RuleResult } from '@memory-read/conformance';
import { root } from '@memory-read/test-kit/repository';
import { type HostId, hostIds, hosts } from './hosts.ts';

/** The page with the result of every rule on every host. */
export const pagePath = join(root, 'docs', 'conformance-results.md');

/** Advice for a page that differs from the results of a run. */
export const pageAdvice = 'Run npm run generate.';

const marks = { passed: '✓', failed: '✗', skipped: '–' };

/** Returns the page for the reports of all hosts. */
export function renderPage(reports: Record<HostId, ConformanceReport>): string {
  const names = hostIds.map((id) => hosts[id].name);
  return [
    introduction,
    row(['Host', 'What runs']),
    separator(2),
    ...hostIds.map((id) => row([hosts[id].name, hosts[id].what])),
    '\n## Every rule on every host\n',
    row(['Rule', ...names]),
    separator(1 + names.length),
    ...conformanceRules.map(({ id }) => row([id, ...hostIds.map((host) => markOf(reports[host], id))])),
    '\n## What was not passed\n',
    row(['Host', 'Rule', 'Reason']),
    separator(3),
    ...hostIds.flatMap((host) => remarksOf(host, reports[host])),
    '',
  ].join('\n');
}

const introduction = `# Conformance results

The results of every host of the server and of the mock for every [rule](guides/conformance.md#every-rule), with all keys,
with media, and with the profile \`reference\`: ✓ passed, – skipped, ✗ failed. \`npm test\` runs them all, and fails where a
result differs from this page. \`npm run test:full\` also fails if a host has no results.
`;

/** Returns the lines of the page about one host: a mark for each rule, and the reasons of those that did not pass. */
export function linesAbout(host: HostId, page: string): string[] {
  const { name } = hosts[host];
  const tables = page.split(/^## /m).map((part) => part.split('\n').filter((line) => line.startsWith('| ')));
  const [header = '', ...rules] = tables[1] ?? [];
  const column = cellsOf(header).indexOf(name);
  const marked = rules.map(cellsOf).map((cells) => row([cells[0] ?? '', cells[column] ?? 'no column']));
  return [...marked, ...(tables[2] ?? []).filter((line) => cellsOf(line)[0] === name)];
}

/** Returns the same lines for a report. */
export function linesOf(host: HostId, report: ConformanceReport): string[] {
  return [...conformanceRules.map(({ id }) => row([id, markOf(report, id)])), ...remarksOf(host, report)];
}

function markOf({ results }: ConformanceReport, rule: string): string {
  const result = results.find((each) => each.rule === rule);
  return result === undefined ? '' : marks[result.status];
}

function remarksOf(host: HostId, { results }: ConformanceReport): string[] {
  return results
    .filter(({ status }) => status !== 'passed')
    .map((result) => row([hosts[host].name, result.rule, reasonOf(result)]));
}

function reasonOf(result: RuleResult): string {
  if (result.status === 'skipped') return result.reason;
  return result.status === 'failed' ? `failed: ${result.evidence.received}` : '';
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The line between head and body of a table. */
function separator(columns: number): string {
  return `|${'---|'.repeat(columns)}`;
}

function cellsOf(line: string): string[] {
  return line.slice(2, -2).split(' | ');
}
