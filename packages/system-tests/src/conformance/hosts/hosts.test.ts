import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConformanceReport } from '@memory-read/conformance';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { hosts } from './hosts.ts';
import { pagePath, renderPage } from './results-page.ts';

const reports: ConformanceReport[] = [];

for (const { name, what, isMissing, run } of hosts) {
  test.skipIf(isMissing)(`${name}: ${what}, follows every rule and every decision`, async () => {
    const report = await run();
    reports.push(report);
    expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(report).toMatchObject({ passed: true, profile: 'reference' });
    expect(report.requests).toBeGreaterThan(40);
  });
}

test.skipIf(hosts.some(({ isMissing }) => isMissing))('the page has the result of every rule on every host', () => {
  expect(renderPage(reports), 'Run npm run generate.').toBe(readFileSync(join(root, pagePath), 'utf8'));
});
