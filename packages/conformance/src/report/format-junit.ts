import type { ConformanceReport, RuleResult } from '../conformance-report.ts';

/** Returns JUnit XML: a suite with a case for each rule, and one for the access to the API. */
export function formatJunit({ results, access, profile }: ConformanceReport): string {
  const readable = access === 'granted' ? [] : [unreadable(access)];
  const failures = results.filter(({ status }) => status === 'failed').length + readable.length;
  const skipped = results.filter(({ status }) => status === 'skipped').length;
  const counts = `tests="${results.length + readable.length}" failures="${failures}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="Memory Read API, ${profile}" ${counts}>`,
    ...readable,
    ...results.map(caseOf),
    '</testsuite>',
    '',
  ].join('\n');
}

function unreadable(access: string): string {
  const message = access === 'refused' ? 'the server rejects the key' : 'neither a list nor a memory could be read';
  return `  <testcase classname="access" name="The API can be read"><failure message="${message}"/></testcase>`;
}

function caseOf(result: RuleResult): string {
  const name = `classname="${escapeXml(result.section)}" name="${escapeXml(`${result.rule} ${result.title}`)}"`;
  if (result.status === 'passed') return `  <testcase ${name}/>`;
  if (result.status === 'skipped') {
    return `  <testcase ${name}><skipped message="${escapeXml(result.reason)}"/></testcase>`;
  }
  const { sent, received, expected } = result.evidence;
  const text = escapeXml(`sent: ${sent}\nreceived: ${received}\nexpected: ${expected}`);
  return `  <testcase ${name}><failure message="${escapeXml(received)}">${text}</failure></testcase>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
