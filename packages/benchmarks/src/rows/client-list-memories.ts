import { MemoryClient } from '@memory-read/client';
import { type BenchServer, withServers } from '../loopback/start-server.ts';
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
  method: 'The same for a list, in processor time of the calling process. Only the client validates.',
  isRepeated: true,
  async measure({ sizes, folder }) {
    const files = {
      long: await listAnswerFile(folder, 10_000),
      short: await listAnswerFile(folder, 10_000 / TIMES_SHORTER),
    };
    const programs = { long: ['fixed-answer', files.long], short: ['fixed-answer', files.short] } as const;
    return withServers(programs, async (servers) => {
      const client = new MemoryClient({ baseUrl: servers.long.url, apiKey, validation: 'skip' });
      const calls = { ...clientCalls(servers.long.url, 'listMemories'), skip: () => client.listMemories() };
      const round = { rounds: sizes.processRounds, count: sizes.longCallsARound, by: processorTimePerCall };
      // Apart from the peers, whose garbage would hit one side more than the other.
      const againstFetch = async (length: string, { url }: BenchServer, count: number) => {
        const { ours, fetch } = clientCalls(url, 'listMemories');
        const pair = await timeCalls({ ours, fetch }, { ...round, count });
        return ratio(`${length} memories against \`fetch\` and \`JSON.parse\``, pair.ours, pair.fetch, {
          atMost: 1.35,
        });
      };
      const short = await againstFetch('1,000', servers.short, round.count * TIMES_SHORTER);
      const long = await againstFetch('10,000', servers.long, round.count);
      const times = await timeCalls(calls, round);
      return {
        findings: [
          short,
          long,
          ratio("with `validation: 'skip'` against `strict`", times.skip, times.ours, { atMost: 1.2 }),
          ...(['ky', ...peerNames] as const).map((name) => ratio(`against ${name}`, times.ours, times[name])),
        ],
        explanation: 'The check of every field and the property that holds the response of each memory take the time.',
      };
    });
  },
};
