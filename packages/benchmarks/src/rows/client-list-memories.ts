import { MemoryClient } from '@memory-read/client';
import { withServers } from '../loopback/start-server.ts';
import type { Finding, Row } from '../measurement/row.ts';
import { pairedRatio } from '../measurement/statistics.ts';
import { apiKey } from '../memories/account.ts';
import { listAnswerFile } from '../memories/answer-files.ts';
import { smallRecords } from '../memories/small-records.ts';
import { clientCalls, peerNames } from '../peers/client-calls.ts';
import { measureCalls } from './client-get-memory.ts';

export const clientListMemories: Row = {
  id: 'client-list-memories',
  title: 'Client: a long list, validated',
  method:
    'The same as for one memory, with a list. `fetch` and `JSON.parse` do not validate; the client validates each field of each memory.',
  async measure({ sizes, folder }) {
    const file = await listAnswerFile(folder, smallRecords(sizes.clientListLength));
    return withServers({ api: ['fixed-answer', file] }, async ({ api }) => {
      const client = new MemoryClient({ baseUrl: api.url, apiKey, validation: 'skip' });
      const calls = { ...clientCalls(api.url, 'listMemories'), skip: () => client.listMemories() };
      const rounds = await measureCalls(calls, sizes.rounds, sizes.longCallsARound);
      const length = sizes.clientListLength.toLocaleString('en');
      return {
        findings: [
          {
            what: `${length} memories against \`fetch\` and \`JSON.parse\``,
            value: pairedRatio(rounds.ours, rounds.fetch),
            unit: '×',
            goal: { atMost: 1.3 },
          },
          {
            what: "with `validation: 'skip'` against `strict`",
            value: pairedRatio(rounds.skip, rounds.ours),
            unit: '×',
            goal: { atMost: 1.2 },
          },
          ...['ky' as const, ...peerNames].map(
            (name): Finding => ({ what: `against ${name}`, value: pairedRatio(rounds.ours, rounds[name]), unit: '×' }),
          ),
        ],
      };
    });
  },
};
