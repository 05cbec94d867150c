import { readFileSync } from 'node:fs';
import { type ConformanceReport, conformanceRules } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { type HostId, hostIds } from './hosts.ts';
import { linesAbout, linesOf, pageAdvice, pagePath, renderPage } from './results-page.ts';

const results: ConformanceReport['results'] = conformanceRules.map(({ id: rule, section, title }) => ({
  rule,
  section,
  title,
  status: 'passed',
}));
const report: ConformanceReport = {
  baseUrl: 'https://api.example',
  profile: 'reference',
  passed: true,
  access: 'granted',
  requests: 49,
  results: results.with(0, { ...results[0], status: 'skipped', reason: 'no reason' } as never),
};
const reports = Object.fromEntries(hostIds.map((id) => [id, report])) as Record<HostId, ConformanceReport>;

test('the page shows the rules, hosts and versions as they are', () => {
  const page = readFileSync(pagePath, 'utf8');
  const unmarked = (text: string) => text.replace(/ [✓–✗](?= \|)/g, ' ').split('\n## What was not passed')[0];
  expect(unmarked(page), pageAdvice).toBe(unmarked(renderPage(reports)));
});

test('what the page says of a host is what its report says, each mark and each reason', () => {
  const page = renderPage(reports);
  const first = conformanceRules[0]?.id;
  expect(linesOf('deno', report)).toEqual(
    expect.arrayContaining([`| ${first} | – |`, `| Deno | ${first} | no reason |`]),
  );
  expect(linesAbout('deno', page)).toEqual(linesOf('deno', report));
  expect(linesAbout('deno', page)).not.toEqual(linesOf('deno', { ...report, results }));
});
