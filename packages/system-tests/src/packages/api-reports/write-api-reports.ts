/** node packages/system-tests/src/packages/api-reports/write-api-reports.ts: writes the API report of every package. */
import { writeFileSync } from 'node:fs';
import { renderApiReport, reportedPackages, reportPath } from './render-api-report.ts';

for (const name of reportedPackages) writeFileSync(reportPath(name), renderApiReport(name));
