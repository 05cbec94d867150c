import { naiveClient, ownClient } from '@memory-read/integration-tests/judge/judged-clients';
import { amount } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { cli, timeNode } from '../measurement/run-node.ts';

export const judge: Row = {
  id: 'judge',
  title: 'The judge of clients',
  method: 'A whole `memory-read judge`, which starts a process for each scenario. Scenarios mostly wait.',
  async measure() {
    const seconds = (rules: string, file: string) =>
      timeNode([cli, 'judge', '--rules', rules, '--report', 'json', '--', process.execPath, file]) / 1_000;
    return {
      findings: [
        amount('Rules `safe`, a client in plain `fetch`', 's', seconds('safe', naiveClient), { atMost: 30 }),
        amount('Rules `reference`, this client', 's', seconds('reference', ownClient), { atMost: 60 }),
      ],
    };
  },
};
