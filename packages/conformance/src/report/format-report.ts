import type { ConformanceReport } from '../conformance-report.ts';
import { formatJunit } from './format-junit.ts';
import { formatPretty } from './format-pretty.ts';

/** For people, for programs, for test reports. */
export type ReportFormat = 'pretty' | 'json' | 'junit';

const formats = {
  pretty: formatPretty,
  json: (report) => `${JSON.stringify(report)}\n`,
  junit: formatJunit,
} satisfies Record<ReportFormat, (report: ConformanceReport) => string>;

/**
 * The report as text that ends with a line break: a table for people, one line of JSON, or JUnit's XML for test reports.
 *
 * What a server sent is in it without control characters.
 *
 * @throws TypeError for another format.
 *
 * @example
 * ```ts
 * console.log(formatReport(report, 'pretty'));
 * ```
 */
export function formatReport(report: ConformanceReport, format: ReportFormat): string {
  if (!Object.hasOwn(formats, format)) {
    const known = Object.keys(formats).join(', ');
    throw new TypeError(`Failed to format the report: because ${String(format)} is no format. Pass one of ${known}.`);
  }
  return formats[format](withoutControls(report));
}

/** A server must not write to a terminal, nor turn its lines or break them, nor break XML. */
function withoutControls(report: ConformanceReport): ConformanceReport {
  const clean = (text: string) => text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\ufffe\uffff]/gu, '\ufffd');
  return JSON.parse(JSON.stringify(report), (_key, value) => (typeof value === 'string' ? clean(value) : value));
}
