import { formatWith, type ReportFormat } from '../report/format-with.ts';
import { type JunitCase, junitSuite } from '../report/junit-suite.ts';
import { countsOf, tableLines } from '../report/result-table.ts';
import type { JudgeReport, JudgeResult } from './judge-report.ts';

const formats = { pretty: formatPretty, junit: formatJunit };

/**
 * Formats the report of a judge as text that ends with a line break.
 *
 * `pretty` is a table, `json` is one line, and `junit` is XML for test reports, in which a known failure counts as
 * skipped. Control characters from the command are replaced.
 *
 * @throws TypeError if the format is not supported.
 *
 * @example
 * ```ts
 * console.log(formatJudgeReport(report, 'pretty'));
 * ```
 */
export function formatJudgeReport(report: JudgeReport, format: ReportFormat): string {
  return formatWith(formats, report, format);
}

function formatPretty({ command, rules, passed, results }: JudgeReport): string {
  const rows = results.map((result) => ({ ...result, id: result.scenario, below: linesBelow(result) }));
  return [
    `${command} and the profile ${rules}`,
    '',
    ...tableLines(rows),
    '',
    `${countsOf(results, ['passed', 'failed', 'skipped', 'known'])}.`,
    passed ? 'Passed.' : 'Not passed.',
    '',
  ].join('\n');
}

function linesBelow({ status, reason, evidence }: JudgeResult): string[] {
  const why = reason === undefined ? [] : [`reason    ${reason}`];
  if (status === 'passed' || evidence === undefined) return why;
  const { expected, observed, wire } = evidence;
  const requests = wire.map((line, index) => `${index === 0 ? 'requests' : '        '}  ${line}`);
  return [`observed  ${observed}`, `expected  ${expected}`, ...why, ...requests];
}

function formatJunit({ rules, results }: JudgeReport): string {
  return junitSuite(`Clients of the Memory Read API, ${rules}`, results.map(caseOf));
}

function caseOf(result: JudgeResult): JunitCase {
  const { section, scenario, title, status, reason, evidence } = result;
  const common = { section, name: `${scenario} ${title}` };
  if (status === 'passed') return common;
  const message = evidence?.observed ?? reason ?? '';
  if (status !== 'failed') return { ...common, skipped: status === 'known' ? `known: ${message}` : message };
  return { ...common, failure: { message, text: linesBelow(result).join('\n') } };
}
