import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withServers } from '../loopback/start-server.ts';
import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';

const program = fileURLToPath(new URL('../programs/call-and-stall.ts', import.meta.url));

/** What a process prints of its stalled calls. */
interface Stalled {
  milliseconds: number;
  heldBytes: number;
}

export const clientStalledCalls: Row = {
  id: 'client-stalled-calls',
  title: 'Client: calls that stall',
  method:
    'A server sends headers and the first byte of each body, and then nothing. A process starts all calls at the same time, and each call has a limit of 500 ms: `totalTimeout` of the client, and `AbortSignal.timeout` of `fetch`. The time ends with the last call. It is measured in the second round of calls of each process. Heap and buffers are measured after garbage collection, before and after this round.',
  async measure({ sizes }) {
    return withServers({ api: ['stalled-answer'] }, async ({ api }) => {
      const heldMebibytes: number[] = [];
      const stall = (kind: 'ours' | 'fetch') => {
        const args = ['--expose-gc', program, kind, api.url, String(sizes.stalledCalls)];
        const stalled: Stalled = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
        if (kind === 'ours') heldMebibytes.push(stalled.heldBytes / 1_048_576);
        return stalled.milliseconds;
      };
      const { ours, fetch } = await runRounds(sizes.longRounds, {
        ours: () => stall('ours'),
        fetch: () => stall('fetch'),
      });
      return {
        findings: [
          {
            what: `${sizes.stalledCalls.toLocaleString('en')} calls, against \`fetch\``,
            value: pairedRatio(ours, fetch),
            unit: '×',
            goal: { atMost: 1.2 },
          },
          { what: 'Memory held after them', value: spreadOf(heldMebibytes), unit: 'MiB', goal: { atMost: 1 } },
        ],
      };
    });
  },
};
