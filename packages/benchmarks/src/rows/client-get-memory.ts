import { withServers } from '../loopback/start-server.ts';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runProgram } from '../measurement/run-node.ts';
import { timeCalls } from '../measurement/time.ts';
import { memoryAnswerFile } from '../memories/files.ts';
import { longRecord } from '../memories/small-records.ts';
import { clientCalls, peerNames } from '../peers/client-calls.ts';

export const clientGetMemory: Row = {
  id: 'client-get-memory',
  title: 'Client: one small memory, per call',
  method:
    'All clients call one bare server on loopback, and receive the same bytes. Only ours validates them. ky has the same timeout and retries, the other SDKs have their defaults.',
  isRepeated: true,
  async measure({ sizes, folder }) {
    const file = await memoryAnswerFile(folder, longRecord(3));
    return withServers({ api: ['fixed-answer', file] }, async ({ api }) => {
      const calls = clientCalls(api.url, 'getMemory');
      const times = await timeCalls(calls, { rounds: sizes.processRounds, count: sizes.callsARound });
      return {
        findings: [
          ratio('`getMemory` against `fetch` and `JSON.parse`', times.ours, times.fetch, { atMost: 1.33 }),
          ratio('`getMemory` against ky', times.ours, times.ky, { atMost: 1.03 }),
          ...peerNames.map((name) => ratio(`\`getMemory\` against ${name}`, times.ours, times[name], { atMost: 1 })),
          amount('`getMemory` by itself', 'µs', times.ours),
          amount('Heap of one call, with `fetch`', 'KiB', heapOfCalls(api.url), { atMost: 76 }),
        ],
        explanation:
          'ky alone takes about a third longer than `fetch`, and [stays](decisions/ky.md). stripe, assemblyai and resend take about as long as `fetch`.',
      };
    });
  },
};

function heapOfCalls(url: string): readonly number[] {
  // V8 collects no garbage within a block of calls.
  const flags = ['--min-semi-space-size=256', '--max-semi-space-size=256'];
  return runProgram<number[]>('allocate-calls', [url], flags);
}
