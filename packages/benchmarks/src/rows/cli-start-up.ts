import { withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { cli, timeNode } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { apiKey } from '../memories/account.ts';
import { smallStoreFile } from '../memories/files.ts';

const listedMemories = 10;

export const cliStartUp: Row = {
  id: 'cli-start-up',
  title: 'Start of the command line',
  method: 'Each measurement is a whole process. `list` reads 10 memories from a local server.',
  async measure({ sizes, folder }) {
    const store = await smallStoreFile(folder, listedMemories);
    return withServers({ api: ['reference-server', store] }, async ({ api }) => {
      const connection = { MEMORY_API_URL: api.url, MEMORY_API_KEY: apiKey };
      const fetchList = `await (await fetch('${api.url}/v1/memories', { headers: { 'x-api-key': '${apiKey}' } })).json()`;
      const { version, list, fetched, bare } = await runRounds(sizes.rounds, {
        version: () => timeNode([cli, '--version']),
        list: () => timeNode([cli, 'list'], connection),
        fetched: () => timeNode(['--input-type=module', '-e', fetchList]),
        bare: () => timeNode(['-e', '0']),
      });
      return {
        findings: [
          ratio('`memory-read --version` against `node -e 0`', version, bare, { atMost: 1.2 }),
          ratio('`memory-read list` against a process that only fetches the list', list, fetched, { atMost: 1.1 }),
        ],
        explanation:
          'Most of the time of `list` is the first use of `fetch`, which Node loads lazily. commander, ky and the client share the rest. A compile cache and one file with all modules would save 19 ms of 150 ms. They need a folder that other users could write to, or a package whose files cannot be read.',
      };
    });
  },
};
