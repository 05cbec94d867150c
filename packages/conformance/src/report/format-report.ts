import { replaceControls } from '@memory-read/contract/redaction';
import type { ConformanceReport } from '../conformance-report.ts';
import { formatJunit } from './format-junit.ts';
import { formatPretty } from './format-pretty.ts';

/** Format of a report: a table for people, JSON for programs, or JUnit XML for test reports. */
export type ReportFormat = 'pretty' | 'json' | 'junit';

const formats = {
  pretty: formatPretty,
  json: (report) => `${JSON.stringify(report)}\n`,
  junit: formatJunit,
} satisfies Record<ReportFormat, (report: ConformanceReport) => string>;

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
  if (!Object.hasOwn(formats, format)) {
    const known = Object.keys(formats).join(', ');
    throw new TypeError(`Failed to format the report: ${String(format)} is not a report format. Pass one of ${known}.`);
  }
  return formats[format](withoutControls(report));
}

/** Replaces characters of a server that could control a terminal, change the direction of text or break XML. */
function withoutControls(report: ConformanceReport): ConformanceReport {
  const clean = (text: string) => replaceControls(text.replace(/[\t\r\n\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu, '\ufffd'));
  return JSON.parse(JSON.stringify(report), (_key, value) => (typeof value === 'string' ? clean(value) : value));
}
