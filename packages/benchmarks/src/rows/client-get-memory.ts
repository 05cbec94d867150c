import { withServers } from '../loopback/start-server.ts';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runProgram } from '../measurement/run-node.ts';
import { processorTimePerCall, timeCalls } from '../measurement/time.ts';
import { memoryAnswerFile } from '../memories/files.ts';
import { longRecord } from '../memories/small-records.ts';
import { clientCalls, peerNames } from '../peers/client-calls.ts';

export const clientGetMemory: Row = {
  id: 'client-get-memory',
  title: 'Client: one small memory, per call',
  method:
    'All clients call one bare server on loopback, one call after the other, and receive the same bytes. Processor time is that of the calling process, without the server. The client validates the key and every field. `fetch` sends the same headers, and its text is parsed. ky has the same timeout and retries. The other SDKs have their defaults, and none of them validates.',
  isRepeated: true,
  async measure({ sizes, folder }) {
    const file = await memoryAnswerFile(folder, longRecord(3));
    return withServers({ api: ['fixed-answer', file] }, async ({ api }) => {
      const calls = clientCalls(api.url, 'getMemory');
      const round = { rounds: sizes.processRounds, count: sizes.callsARound };
      const times = await timeCalls(calls, round);
      const { ours, fetch } = await timeCalls(
        { ours: calls.ours, fetch: calls.fetch },
        { ...round, by: processorTimePerCall },
      );
      return {
        findings: [
          ratio('`getMemory` against `fetch` and `JSON.parse`', times.ours, times.fetch, { atMost: 1.33 }),
          ratio('`getMemory` against ky', times.ours, times.ky, { atMost: 1.03 }),
          ...peerNames.map((name) => ratio(`\`getMemory\` against ${name}`, times.ours, times[name], { atMost: 1 })),
          ratio('The first in processor time', ours, fetch),
          amount('`getMemory` by itself', 'µs', times.ours),
          amount('Heap of one call, with `fetch`', 'KiB', heapOfCalls(api.url), { atMost: 76 }),
        ],
        explanation:
          'ky alone takes about a third longer than `fetch`, and the client as long as ky. A [decision](decisions/ky.md) explains why ky stays. The SDKs stripe, assemblyai and resend take about as long as `fetch`. Three trials: without the place of the call, which gives an error the frames of its caller, a call takes 20 µs of 310 less. The frames stay, because they show where a failed call came from, and a call over a network takes milliseconds. A `TextDecoder` that all calls share saves 0.2 µs, and cannot be shared by bodies that arrive at the same time. Fewer objects for each call, with contexts of errors and ids made on demand, saved 1 KiB of heap and no time that can be measured. In processor time the ratio is larger, because the clock also counts the server, which is the same for all.',
      };
    });
  },
};

function heapOfCalls(url: string): readonly number[] {
  // V8 collects no garbage within a block of calls.
  const flags = ['--min-semi-space-size=256', '--max-semi-space-size=256'];
  return runProgram<number[]>('allocate-calls', [url], flags);
}
