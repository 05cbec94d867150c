import { replaceControls } from '@memory-read/contract/redaction';

/** Format of a report: a table for people, JSON for programs, or JUnit XML for test reports. */
export type ReportFormat = 'pretty' | 'json' | 'junit';

/**
 * Formats a report without the control characters of others.
 *
 * @throws TypeError if the format is not supported.
 */
export function formatWith<Report>(
  texts: Record<Exclude<ReportFormat, 'json'>, (report: Report) => string>,
  report: Report,
  format: ReportFormat,
): string {
  const formats = { pretty: texts.pretty, json: toJsonLine, junit: texts.junit };
  if (!Object.hasOwn(formats, format)) {
    const known = Object.keys(formats).join(', ');
    throw new TypeError(`Failed to format the report: ${String(format)} is not a report format. Pass one of ${known}.`);
  }
  return formats[format](withoutControls(report));
}

function toJsonLine(report: unknown): string {
  return `${JSON.stringify(report)}\n`;
}

/** Replaces characters that could control a terminal, change the direction of text or break XML. */
function withoutControls<Report>(report: Report): Report {
  const clean = (text: string) => replaceControls(text.replace(/[\t\r\n\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu, '\ufffd'));
  return JSON.parse(JSON.stringify(report), (_key, value) => (typeof value === 'string' ? clean(value) : value));
}
