import { buildOpenApiDocument } from '@memory-read/contract/openapi';
import { withPicture } from '@memory-read/integration-tests/architecture/package-table';
import { withCatalogue } from '@memory-read/integration-tests/client/faults/fault-tables';
import { withRules } from '@memory-read/integration-tests/conformance/guide';
import { withEdgeCases } from '@memory-read/integration-tests/docs/edge-cases/guide';
import { withScenarios } from '@memory-read/integration-tests/judge/scenario-page';
import { goldenPath, writeGolden } from '@memory-read/integration-tests/parity/golden/golden-answers';
import { hosts } from '../../conformance/hosts/hosts.ts';
import { pagePath, renderPage } from '../../conformance/hosts/results-page.ts';
import { allClients, clientResultsPath, judgeByAll, renderClientResults } from '../../judge/client-results.ts';
import { withMeasurements } from '../../mock/guide.ts';
import { measureFaults } from '../../mock/measure-faults.ts';
import { renderApiReport, reportedPackages } from '../../packages/api-reports/render-api-report.ts';
import { renderPageProgram } from './page-program.ts';

/** A generated file. */
export interface Generator {
  /** Path below the root of the repository. */
  readonly path: string;
  /** Returns the new text of the file. On a page, text that people have written remains. */
  readonly write: (text: string) => string | Promise<string>;
  /** The tests that compare the file. Default: `generate.test.ts`. */
  readonly comparedBy?: string;
}

/** All generated files. */
export const generators: readonly Generator[] = [
  { path: 'ARCHITECTURE.md', write: withPicture },
  { path: 'packages/contract/openapi.json', write: openApi },
  { path: 'packages/mirror/src/pages/page-program.ts', write: renderPageProgram },
  { path: goldenPath, write: writeGolden, comparedBy: 'parity/servers.test.ts' },
  { path: 'docs/reference/faults.md', write: withCatalogue },
  { path: 'docs/reference/conformance.md', write: withRules },
  { path: 'docs/reference/client-scenarios.md', write: withScenarios },
  { path: 'docs/reference/edge-cases.md', write: withEdgeCases },
  {
    path: 'docs/reference/mock.md',
    write: async (text) => withMeasurements(text, await measureFaults()),
  },
  ...reportedPackages.map((name) => ({
    path: `packages/${name}/api-report.md`,
    write: () => renderApiReport(name),
  })),
  { path: pagePath, write: conformanceResults, comparedBy: 'conformance/hosts/hosts.test.ts' },
  { path: clientResultsPath, write: clientResults, comparedBy: 'judge/client-results.full.test.ts' },
];

// The default address of `memory-read serve`.
function openApi(): string {
  return `${JSON.stringify(buildOpenApiDocument({ serverUrl: 'http://127.0.0.1:8787' }), null, 2)}\n`;
}

async function conformanceResults(): Promise<string> {
  const reports = [];
  for (const { run } of hosts) reports.push(await run());
  return renderPage(reports);
}

async function clientResults(): Promise<string> {
  const reports = [];
  for (const client of allClients) reports.push(await judgeByAll(client));
  return renderClientResults(reports);
}
