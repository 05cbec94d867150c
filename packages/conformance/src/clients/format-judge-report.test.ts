import { expect, test } from 'vitest';
import { formatJudgeReport } from './format-judge-report.ts';
import type { JudgeReport, JudgeResult } from './judge-report.ts';

const common = { section: 'errors', title: 'an error', profile: 'safe', durationMs: 12 } as const;
const evidence = {
  expected: 'an error',
  observed: 'ok is <true>\u001b',
  wire: ['1 ms: GET /v1/memories, 200', '9 ms: GET /'],
};
const results: JudgeResult[] = [
  { ...common, scenario: '401', status: 'passed' },
  { ...common, scenario: '500-always', status: 'failed', reason: 'the command reported: "no"', evidence },
  { ...common, scenario: '404', status: 'skipped', reason: 'no ids' },
  { ...common, scenario: '422', status: 'known', evidence: { ...evidence, wire: [] } },
  { ...common, scenario: '503-always', status: 'passed' },
];
const report: JudgeReport = { command: 'node client.mjs', rules: 'safe', passed: false, results };

test('pretty is a table with evidence, reasons and counts', () => {
  expect(formatJudgeReport(report, 'pretty')).toBe(`node client.mjs and the profile safe

passed   401         an error
FAILED   500-always  an error
                     observed  ok is <true>\ufffd
                     expected  an error
                     reason    the command reported: "no"
                     requests  1 ms: GET /v1/memories, 200
                               9 ms: GET /
skipped  404         an error
                     reason    no ids
known    422         an error
                     observed  ok is <true>\ufffd
                     expected  an error
passed   503-always  an error

2 passed, 1 failed, 1 skipped, 1 known.
Not passed.
`);
});

test('junit counts a known failure as skipped', () => {
  expect(formatJudgeReport(report, 'junit')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Clients of the Memory Read API, safe" tests="5" failures="1" skipped="2">
  <testcase classname="errors" name="401 an error"/>
  <testcase classname="errors" name="500-always an error"><failure message="ok is &lt;true&gt;\ufffd">observed  ok is &lt;true&gt;\ufffd
expected  an error
reason    the command reported: &quot;no&quot;
requests  1 ms: GET /v1/memories, 200
          9 ms: GET /</failure></testcase>
  <testcase classname="errors" name="404 an error"><skipped message="no ids"/></testcase>
  <testcase classname="errors" name="422 an error"><skipped message="known: ok is &lt;true&gt;\ufffd"/></testcase>
  <testcase classname="errors" name="503-always an error"/>
</testsuite>
`);
});

test('json is the report in one line', () => {
  const text = formatJudgeReport(report, 'json');
  expect(JSON.parse(text)).toMatchObject({ command: 'node client.mjs', passed: false, results: { length: 5 } });
  expect(text.trimEnd()).not.toContain('\n');
});
