import { clientScenarios, formatJudgeReport, judgeClient } from '@memory-read/conformance/clients';

// A client that can only read the list.
const client = `
const { MEMORY_API_URL: url, MEMORY_API_KEY: key, MEMORY_JUDGE_OPERATION: operation } = process.env;
if (operation !== 'list') console.log(JSON.stringify({ skip: 'the client only reads the list' }));
else
  fetch(url.replace(/[/]$/, '') + '/v1/memories', { headers: { authorization: 'Bearer ' + key } })
    .then((response) => response.json())
    .then((memories) => console.log(JSON.stringify({ ok: true, memories })));
`;
const command = ['node', '-e', client];

// #region judge-client
const report = await judgeClient({ command, only: ['requests'] });
for (const { scenario, status, evidence } of report.results) {
  if (status === 'failed') console.log(scenario, evidence?.observed);
}
if (!report.passed) process.exitCode = 1;
// #endregion

// #region format-judge-report
console.log(formatJudgeReport(report, 'pretty'));
// #endregion

// #region client-scenarios
console.log(clientScenarios.filter(({ section }) => section === 'redirects').map(({ id }) => id));
// #endregion
