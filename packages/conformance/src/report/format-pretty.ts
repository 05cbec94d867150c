import type { ConformanceReport, RuleResult } from '../conformance-report.ts';
import { referenceRules } from '../rules/reference.ts';

const marks = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** Returns a table for people, in the order of the specification. */
export function formatPretty(report: ConformanceReport): string {
  const { baseUrl, profile, results, requests } = report;
  const title = `${baseUrl} and the ${profile === 'reference' ? 'decisions of the reference server' : 'specification'}`;
  const silence = silenceOf(report);
  if (silence !== undefined) return [title, '', `Not passed: no request got a response: ${silence}.`, ''].join('\n');
  const width = Math.max(...results.map(({ rule }) => rule.length));
  const counts = (['passed', 'failed', 'skipped'] as const).map(
    (status) => `${results.filter((result) => result.status === status).length} ${status}`,
  );
  return [
    title,
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

/** Returns why no request got a response; undefined if one did. Every rule would report the same. */
function silenceOf({ access, results }: ConformanceReport): string | undefined {
  if (access !== 'none' || results.some(({ status }) => status === 'passed')) return undefined;
  const reasons = failuresOf(results).map(({ evidence }) => /^no response: (.*)/.exec(evidence.received)?.[1]);
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function failuresOf(results: readonly RuleResult[]) {
  return results.filter((result) => result.status === 'failed');
}

const decisions = new Set(referenceRules.map(({ id }) => id));

function verdictOf({ passed, access, results }: ConformanceReport): string {
  if (access === 'refused') return 'Not passed: the server rejects the key.';
  if (access === 'none') return 'Not passed: neither a list nor a memory could be read.';
  const failures = failuresOf(results);
  if (failures.length > 0 && failures.every(({ rule }) => decisions.has(rule))) {
    const broken = failures.length === 1 ? '1 decision' : `${failures.length} decisions`;
    return `Not passed: it breaks ${broken} of the reference server, and no rule of the specification.`;
  }
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
