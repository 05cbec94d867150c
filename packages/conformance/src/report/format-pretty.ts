import type { ConformanceReport, RuleResult } from '../conformance-report.ts';
import { referenceRules } from '../rules/reference.ts';
import { countsOf, type TableRow, tableLines } from './result-table.ts';

/** Returns a table for people, in the order of the specification. */
export function formatPretty(report: ConformanceReport): string {
  const { baseUrl, profile, results, requests } = report;
  const title = `${baseUrl} and the ${profile === 'reference' ? 'decisions of the reference server' : 'specification'}`;
  const silence = silenceOf(report);
  if (silence !== undefined) return [title, '', `Not passed: no request got a response: ${silence}.`, ''].join('\n');
  return [
    title,
    '',
    ...tableLines(results.map(rowOf)),
    '',
    `${countsOf(results, ['passed', 'failed', 'skipped'])}, with ${requests} requests.`,
    verdictOf(report),
    ...adviceOn(results),
    '',
  ].join('\n');
}

function rowOf(result: RuleResult): TableRow {
  return { status: result.status, id: result.rule, title: result.title, below: linesBelow(result) };
}

function linesBelow(result: RuleResult): string[] {
  if (result.status === 'skipped') return [`reason: ${result.reason}`];
  if (result.status === 'passed') return [];
  const { sent, received, expected } = result.evidence;
  return [`sent      ${sent}`, `received  ${received}`, `expected  ${expected}`];
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
