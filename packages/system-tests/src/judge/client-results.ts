import { clientScenarios, type JudgeReport, judgeClient } from '@memory-read/conformance/clients';
import {
  type JudgedClient,
  judgedClients,
  ownClient,
  patience,
} from '@memory-read/integration-tests/judge/judged-clients';
import { table } from '../conformance/hosts/results-page.ts';
import { findRuntime } from '../runtimes/find-runtime.ts';

export const clientResultsPath = 'docs/client-results.md';

const sources = '--conditions=@memory-read/source';
const denoOptions = ['--no-prompt', '--no-config', '--node-modules-dir=manual', '--allow-all'];

/** The judged clients, and the client of this project on Bun and Deno. */
export const allClients: readonly JudgedClient[] = [
  ...judgedClients.slice(0, 1),
  onRuntime('Bun', [sources]),
  onRuntime('Deno', ['run', ...denoOptions, sources]),
  ...judgedClients.slice(1),
];

function onRuntime(name: 'Bun' | 'Deno', options: readonly string[]): JudgedClient {
  const { version, path = '' } = findRuntime(name === 'Bun' ? 'bun' : 'deno');
  return {
    name: `@memory-read/client, ${name}`,
    what: `the same file on ${name} ${version}`,
    command: [path, ...options, ownClient],
    isMissing: path === '',
    rules: 'reference',
  };
}

/** Judges a client by all scenarios. */
export function judgeByAll({ command }: JudgedClient): Promise<JudgeReport> {
  return judgeClient({ command, rules: 'reference', ...patience });
}

/** Returns the page for the reports of all clients, in their order. */
export function renderClientResults(reports: readonly JudgeReport[]): string {
  const passed = (index: number, profile: string) =>
    String(reports[index]?.results.filter((result) => result.profile === profile && result.status === 'passed').length);
  const failures = reports.flatMap(({ results }, index) => {
    const failed = results.filter(({ status }) => status !== 'passed');
    return Array.from(
      Map.groupBy(failed, ({ evidence }) => evidence?.observed),
      ([observed, group]) => [
        allClients[index]?.name,
        observed,
        group.map(({ scenario }) => `\`${scenario}\``).join(', '),
      ],
    );
  });
  const count = (profile: string) => clientScenarios.filter((scenario) => scenario.profile === profile).length;
  return [
    introduction,
    ...table(
      ['Client', 'What runs', `\`safe\`: passed of ${count('safe')}`, `\`reference\`: passed of ${count('reference')}`],
      allClients.map(({ name, what }, index) => [name, what, passed(index, 'safe'), passed(index, 'reference')]),
    ),
    '\n## What was not passed\n',
    ...table(['Client', 'Observed', 'Scenarios'], failures),
    '',
  ].join('\n');
}

const introduction = `# Client results

Each client runs all ${clientScenarios.length} [scenarios](reference/client-scenarios.md) of [\`memory-read judge\`](guides/judge-a-client.md). The profile \`safe\` is
what no client may get wrong; \`reference\` adds recovery by retries. \`npm run test:full\` runs them again, and fails if a result
differs from this page.
`;
