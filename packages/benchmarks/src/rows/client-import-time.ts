import type { Finding, Row } from '../measurement/row.ts';
import { timeNode } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedDifference } from '../measurement/statistics.ts';
import { peerNames } from '../peers/client-calls.ts';

export const clientImportTime: Row = {
  id: 'client-import-time',
  title: 'Client: cold import',
  method:
    'Each round starts one process after the other: `node -e 0`, and one process for each package, which only imports the package. The result is the time of that process minus the time of another process in the same round.',
  async measure({ sizes }) {
    const packages = ['@memory-read/client', 'ky', ...peerNames];
    const contenders = Object.fromEntries(packages.map((name) => [name, () => timeNode(importing(name))]));
    const rounds = await runRounds(sizes.rounds, { bare: () => timeNode(['-e', '0']), ...contenders });
    const cost = (name: string, than: string) => pairedDifference(timesOf(rounds, name), timesOf(rounds, than));
    const overBare = packages.map(
      (name): Finding => ({ what: `${name}, over bare Node`, value: cost(name, 'bare'), unit: 'ms' }),
    );
    return {
      findings: [
        {
          what: 'The client, over ky alone',
          value: cost('@memory-read/client', 'ky'),
          unit: 'ms',
          goal: { atMost: 10 },
        },
        ...overBare,
      ],
    };
  },
};

function importing(name: string): string[] {
  return ['--input-type=module', '-e', `import '${name}'`];
}

function timesOf(rounds: Record<string, number[]>, name: string): number[] {
  return rounds[name] ?? [];
}
