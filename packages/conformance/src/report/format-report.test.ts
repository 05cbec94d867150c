import { expect, test } from 'vitest';
import type { ConformanceReport } from '../conformance-report.ts';
import { formatReport } from './format-report.ts';

const report: ConformanceReport = {
  baseUrl: 'https://api.example',
  profile: 'specification',
  passed: false,
  access: 'granted',
  requests: 12,
  results: [
    { rule: '2.1', section: '2.1', title: 'Every memory has all twelve fields', status: 'passed' },
    {
      rule: '4.1.2',
      section: '4.1',
      title: 'The list is sorted',
      status: 'failed',
      evidence: { sent: 'GET <a>', received: '500 "\u001b[31m & no"', expected: '200' },
    },
    { rule: '5.5', section: '5', title: 'The key decides', status: 'skipped', reason: 'needs otherAccountApiKey' },
  ],
};

test('pretty is a table with evidence, reasons and a verdict', () => {
  expect(formatReport(report, 'pretty')).toBe(`https://api.example and the specification

passed   2.1    Every memory has all twelve fields
FAILED   4.1.2  The list is sorted
                sent      GET <a>
                received  500 "\ufffd[31m & no"
                expected  200
skipped  5.5    The key decides
                reason: needs otherAccountApiKey

1 passed, 1 failed, 1 skipped, with 12 requests.
Not passed.
1 more would be checked with otherAccountApiKey.
`);
});

test.each([
  [{ passed: true, results: report.results.slice(0, 1) }, 'Passed.'],
  [
    { passed: true, results: report.results.filter(({ status }) => status !== 'failed') },
    'Passed, but some rules were not checked.',
  ],
  [{ access: 'refused' as const }, 'Not passed: the server rejects the key.'],
  [{ access: 'none' as const }, 'Not passed: neither a list nor a memory could be read.'],
])('the verdict on %j is “%s”', (changes, verdict) => {
  expect(formatReport({ ...report, ...changes }, 'pretty')).toContain(`\n${verdict}\n`);
});

test('json is the report as JSON', () => {
  expect(JSON.parse(formatReport(report, 'json'))).toMatchObject({
    passed: false,
    requests: 12,
    results: { length: 3 },
  });
});

test('junit has a test case for each rule', () => {
  expect(formatReport(report, 'junit')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Memory Read API, specification" tests="3" failures="1" skipped="1">
  <testcase classname="2.1" name="2.1 Every memory has all twelve fields"/>
  <testcase classname="4.1" name="4.1.2 The list is sorted"><failure message="500 &quot;\ufffd[31m &amp; no&quot;">sent: GET &lt;a&gt;
received: 500 &quot;\ufffd[31m &amp; no&quot;
expected: 200</failure></testcase>
  <testcase classname="5" name="5.5 The key decides"><skipped message="needs otherAccountApiKey"/></testcase>
</testsuite>
`);
});

test('junit reports a failure if nothing could be read, even if no rule failed', () => {
  const refused = { ...report, access: 'refused' as const, results: report.results.slice(2) };
  expect(formatReport(refused, 'junit')).toContain('tests="2" failures="1" skipped="1"');
  expect(formatReport(refused, 'junit')).toContain('<failure message="the server rejects the key"/>');
});

test.each(['xml', 'toString', '__proto__', undefined])('rejects %s as a format', (format) => {
  const reason = `${format} is not a report format. Pass one of pretty, json, junit.`;
  expect(() => formatReport(report, format as never)).toThrow(new TypeError(`Failed to format the report: ${reason}`));
});

test.each(['\t', '\n', '\u202e', '\u2066', '\u2028', '\u2029', '\u0085'])(
  'does not print %j of a server',
  (character) => {
    const results = [
      { rule: '5.5', section: '5', title: 'The key decides', status: 'skipped' as const, reason: `a${character}b` },
    ];
    for (const format of ['pretty', 'json', 'junit'] as const) {
      expect(formatReport({ ...report, results }, format)).toContain('a\ufffdb');
    }
  },
);
