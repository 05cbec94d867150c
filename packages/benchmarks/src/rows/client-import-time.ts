import { difference } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { timeNode } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { peerNames } from '../peers/client-calls.ts';

const packages = ['@memory-read/client', 'ky', ...peerNames] as const;

export const clientImportTime: Row = {
  id: 'client-import-time',
  title: 'Client: cold import',
  method: 'Time of a process that only imports the package, minus that of another process in the same round.',
  isRepeated: true,
  async measure({ sizes }) {
    const importing = packages.map((name) => [name, () => timeNode(['--input-type=module', '-e', `import '${name}'`])]);
    const contenders = { bare: () => timeNode(['-e', '0']), ...Object.fromEntries(importing) };
    const times = await runRounds<'bare' | (typeof packages)[number]>(sizes.processRounds, contenders);
    return {
      findings: [
        difference('The client, over ky alone', times['@memory-read/client'], times.ky, { atMost: 10 }),
        ...packages.map((name) => difference(`${name}, over bare Node`, times[name], times.bare)),
      ],
      explanation: 'Node loads 16 files of the client and the contract.',
    };
  },
};
