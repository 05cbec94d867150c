import { MemoryClient } from '@memory-read/client';
import { withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { timeCalls } from '../measurement/time.ts';
import { apiKey } from '../memories/account.ts';
import { listAnswerFile } from '../memories/files.ts';
import { clientCalls, peerNames } from '../peers/client-calls.ts';

export const clientListMemories: Row = {
  id: 'client-list-memories',
  title: 'Client: a long list, validated',
  method:
    'The same as for one memory, with a list. `fetch` and `JSON.parse` do not validate; the client validates each field of each memory.',
  async measure({ sizes, folder }) {
    const file = await listAnswerFile(folder, sizes.clientListLength);
    return withServers({ api: ['fixed-answer', file] }, async ({ api }) => {
      const client = new MemoryClient({ baseUrl: api.url, apiKey, validation: 'skip' });
      const calls = { ...clientCalls(api.url, 'listMemories'), skip: () => client.listMemories() };
      const times = await timeCalls(calls, { rounds: sizes.rounds, count: sizes.longCallsARound });
      const length = sizes.clientListLength.toLocaleString('en');
      return {
        findings: [
          ratio(`${length} memories against \`fetch\` and \`JSON.parse\``, times.ours, times.fetch, { atMost: 1.3 }),
          ratio("with `validation: 'skip'` against `strict`", times.skip, times.ours, { atMost: 1.2 }),
          ...(['ky', ...peerNames] as const).map((name) => ratio(`against ${name}`, times.ours, times[name])),
        ],
      };
    });
  },
};
