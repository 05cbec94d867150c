import { formatReport, runConformance } from '@memory-read/conformance';

const apiKey = process.env.MEMORY_API_KEY ?? '';

// #region run-conformance
const report = await runConformance({ baseUrl: 'https://api.example.com', apiKey });
for (const { rule, title, status } of report.results) {
  if (status === 'failed') console.log(rule, title);
}
if (!report.passed) process.exitCode = 1;
// #endregion

// #region format-report
console.log(formatReport(report, 'pretty'));
// #endregion
