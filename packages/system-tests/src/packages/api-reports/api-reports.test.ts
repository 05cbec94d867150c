import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderApiReport, reportedPackages, reportPath } from './render-api-report.ts';

test.each(reportedPackages)('the API report of %s says what users of the built package can write', (name) => {
  const advice =
    'The interface of this package changed. If that is meant, run write-api-reports.ts and commit the report.';
  expect(renderApiReport(name), advice).toBe(readFileSync(reportPath(name), 'utf8'));
});
