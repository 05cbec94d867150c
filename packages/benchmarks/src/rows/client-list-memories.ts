import { MemoryClient } from '@memory-read/client';
import { withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { processorTimePerCall, timeCalls } from '../measurement/time.ts';
import { apiKey } from '../memories/account.ts';
import { listAnswerFile } from '../memories/files.ts';
import { clientCalls, peerNames } from '../peers/client-calls.ts';

/** How many times as many calls of the short list make a round as long. */
const TIMES_SHORTER = 10;

export const clientListMemories: Row = {
  id: 'client-list-memories',
  title: 'Client: a long list, validated',
  method:
    'The same as for one memory, with a list, and in processor time of the calling process. `fetch` and `JSON.parse` do not validate; the client validates each field of each memory.',
  isRepeated: true,
  async measure({ sizes, folder }) {
    const long = await listAnswerFile(folder, 10_000);
    const short = await listAnswerFile(folder, 10_000 / TIMES_SHORTER);
    return withServers({ long: ['fixed-answer', long], short: ['fixed-answer', short] }, async (servers) => {
      const client = new MemoryClient({ baseUrl: servers.long.url, apiKey, validation: 'skip' });
      const calls = { ...clientCalls(servers.long.url, 'listMemories'), skip: () => client.listMemories() };
      const round = { rounds: sizes.processRounds, count: sizes.longCallsARound, by: processorTimePerCall };
      const { ours, fetch } = clientCalls(servers.short.url, 'listMemories');
      const shortTimes = await timeCalls({ ours, fetch }, { ...round, count: round.count * TIMES_SHORTER });
      const times = await timeCalls(calls, round);
      const goal = { atMost: 1.35 };
      return {
        findings: [
          ratio('1,000 memories against `fetch` and `JSON.parse`', shortTimes.ours, shortTimes.fetch, goal),
          ratio('10,000 memories against `fetch` and `JSON.parse`', times.ours, times.fetch, goal),
          ratio("with `validation: 'skip'` against `strict`", times.skip, times.ours, { atMost: 1.2 }),
          ...(['ky', ...peerNames] as const).map((name) => ratio(`against ${name}`, times.ours, times[name])),
        ],
      };
    });
  },
};
