/** A case of a suite. It passes without a failure and without a reason to skip it. */
export interface JunitCase {
  section: string;
  name: string;
  failure?: { message: string; text?: string } | undefined;
  skipped?: string | undefined;
}

/** Returns JUnit XML with one suite. */
export function junitSuite(name: string, cases: readonly JunitCase[]): string {
  const count = (isCounted: (each: JunitCase) => unknown) => cases.filter(isCounted).length;
  const counts = `tests="${cases.length}" failures="${count(({ failure }) => failure)}" skipped="${count(isSkipped)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escapeXml(name)}" ${counts}>`,
    ...cases.map(caseOf),
    '</testsuite>',
    '',
  ].join('\n');
}

function isSkipped({ skipped }: JunitCase): boolean {
  return skipped !== undefined;
}

function caseOf({ section, name, failure, skipped }: JunitCase): string {
  const start = `  <testcase classname="${escapeXml(section)}" name="${escapeXml(name)}"`;
  if (skipped !== undefined) return `${start}><skipped message="${escapeXml(skipped)}"/></testcase>`;
  if (failure === undefined) return `${start}/>`;
  const message = `<failure message="${escapeXml(failure.message)}"`;
  const text = failure.text === undefined ? '/>' : `>${escapeXml(failure.text)}</failure>`;
  return `${start}>${message}${text}</testcase>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
