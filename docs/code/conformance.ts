import { conformanceRules, formatReport, runConformance, uncheckableStatements } from '@memory-read/conformance';

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

// #region conformance-rules
const secondSection = conformanceRules.filter(({ section }) => section.startsWith('2'));
console.log(secondSection.map(({ id }) => id).join(', '));
// #endregion

// #region uncheckable-statements
console.log(uncheckableStatements.find(({ statement }) => statement === '1.4')?.reason);
// #endregion
