import type { ConformanceReport, RuleResult } from '../conformance-report.ts';

const marks = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** Returns a table for people, in the order of the specification. */
export function formatPretty(report: ConformanceReport): string {
  const { baseUrl, profile, results, requests } = report;
  const width = Math.max(...results.map(({ rule }) => rule.length));
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (status) => `${results.filter((result) => result.status === status).length} ${status}`,
  );
  return [
    `${baseUrl} and the ${profile === 'reference' ? 'decisions of the reference server' : 'specification'}`,
    '',
    ...results.flatMap((result) => linesOf(result, width)),
    '',
    `${counts.join(', ')}, with ${requests} requests.`,
    verdictOf(report),
    ...adviceOn(results),
    '',
  ].join('\n');
}

function linesOf(result: RuleResult, width: number): string[] {
  const line = `${marks[result.status]}  ${result.rule.padEnd(width)}  ${result.title}`;
  const indent = ' '.repeat(marks.passed.length + 2 + width + 2);
  if (result.status === 'skipped') return [line, `${indent}reason: ${result.reason}`];
  if (result.status === 'passed') return [line];
  const { sent, received, expected } = result.evidence;
  return [line, `${indent}sent      ${sent}`, `${indent}received  ${received}`, `${indent}expected  ${expected}`];
}

function verdictOf({ passed, access, results }: ConformanceReport): string {
  if (access === 'refused') return 'Not passed: the server rejects the key.';
  if (access === 'none') return 'Not passed: neither a list nor a memory could be read.';
  if (!passed) return 'Not passed.';
  return results.some(({ status }) => status === 'skipped') ? 'Passed, but some rules were not checked.' : 'Passed.';
}

/** Returns the options that skipped rules need. */
function adviceOn(results: readonly RuleResult[]): string[] {
  const needs = results.flatMap((result) =>
    result.status === 'skipped' && result.reason.startsWith('needs ') ? [result.reason.slice('needs '.length)] : [],
  );
  if (needs.length === 0) return [];
  return [`${needs.length} more would be checked with ${[...new Set(needs)].sort().join(', ')}.`];
}
