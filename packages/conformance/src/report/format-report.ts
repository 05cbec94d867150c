import type { ConformanceReport } from '../conformance-report.ts';
import { formatJunit } from './format-junit.ts';
import { formatPretty } from './format-pretty.ts';
import { formatWith, type ReportFormat } from './format-with.ts';

export type { ReportFormat };

const formats = { pretty: formatPretty, junit: formatJunit };

/**
 * Formats a report as text that ends with a line break.
 *
 * `pretty` is a table, `json` is one line, and `junit` is XML for test reports. Control characters from the server are
 * replaced.
 *
 * @throws TypeError if the format is not supported.
 *
 * @example
 * ```ts
 * console.log(formatReport(report, 'pretty'));
 * ```
 */
export function formatReport(report: ConformanceReport, format: ReportFormat): string {
  return formatWith(formats, report, format);
}
