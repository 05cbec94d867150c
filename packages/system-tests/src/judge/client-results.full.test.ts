import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JudgeReport } from '@memory-read/conformance/clients';
import { root } from '@memory-read/test-kit/repository';
import { expect, test } from 'vitest';
import { allClients, clientResultsPath, judgeByAll, renderClientResults } from './client-results.ts';

const reports: JudgeReport[] = [];

for (const client of allClients) {
  const { name, isMissing, rules, knownFailures = [] } = client;
  test.skipIf(isMissing)(`${name} passes the profile ${rules}, but for the failures that are known`, async () => {
    const report = await judgeByAll(client);
    reports.push(report);
    const failures = report.results.filter(
      ({ status, profile }) => status !== 'passed' && (rules === 'reference' || profile === 'safe'),
    );
    expect(failures.map(({ scenario }) => scenario)).toEqual(knownFailures);
  });
}

test.skipIf(allClients.some(({ isMissing }) => isMissing))(
  'the page has the result of every scenario for every client',
  () => {
    expect(renderClientResults(reports), 'Run npm run generate.').toBe(
      readFileSync(join(root, clientResultsPath), 'utf8'),
    );
  },
);
