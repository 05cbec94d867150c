import type { ConformanceReport, RuleResult } from '../conformance-report.ts';
import { type JunitCase, junitSuite } from './junit-suite.ts';

/** Returns JUnit XML: a suite with a case for each rule, and one for the access to the API. */
export function formatJunit({ results, access, profile }: ConformanceReport): string {
  const readable = access === 'granted' ? [] : [unreadable(access)];
  return junitSuite(`Memory Read API, ${profile}`, [...readable, ...results.map(caseOf)]);
}

function unreadable(access: string): JunitCase {
  const message = access === 'refused' ? 'the server rejects the key' : 'neither a list nor a memory could be read';
  return { section: 'access', name: 'The API can be read', failure: { message } };
}

function caseOf(result: RuleResult): JunitCase {
  const common = { section: result.section, name: `${result.rule} ${result.title}` };
  if (result.status === 'passed') return common;
  if (result.status === 'skipped') return { ...common, skipped: result.reason };
  const { sent, received, expected } = result.evidence;
  const text = `sent: ${sent}\nreceived: ${received}\nexpected: ${expected}`;
  return { ...common, failure: { message: received, text } };
}
