import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { withServers } from '../loopback/start-server.ts';
import type { Row } from '../measurement/row.ts';
import { timeNode } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';
import { apiKey } from '../memories/account.ts';
import { smallStoreFile } from '../memories/store-file.ts';

const load = createRequire(import.meta.url);
const cli = fileURLToPath(new URL('dist/main.js', `file://${load.resolve('@memory-read/cli/package.json')}`));
const prism = load.resolve('@stoplight/prism-cli');
const jsonServer = load.resolve('json-server/lib/cli/bin.js');
const listedMemories = 10;

export const cliStartUp: Row = {
  id: 'cli-start-up',
  title: 'Start of the command line',
  method:
    'Each measurement is a whole process: `memory-read --version`, `memory-read list` of 10 memories from a local server, a process that only fetches the same list, and `node -e 0`. Prism and json-server, which serve and mock HTTP APIs, run with `--version`.',
  async measure({ sizes, folder }) {
    const store = await smallStoreFile(folder, listedMemories);
    return withServers({ api: ['memory-read', store] }, async ({ api }) => {
      const connection = { MEMORY_API_URL: api.url, MEMORY_API_KEY: apiKey };
      const fetchList = `await (await fetch('${api.url}/v1/memories', { headers: { 'x-api-key': '${apiKey}' } })).json()`;
      const { version, list, fetched, bare, ...peers } = await runRounds(sizes.rounds, {
        version: () => timeNode([cli, '--version']),
        list: () => timeNode([cli, 'list'], connection),
        fetched: () => timeNode(['--input-type=module', '-e', fetchList]),
        bare: () => timeNode(['-e', '0']),
        prism: () => timeNode([prism, '--version'], { SCARF_ANALYTICS: 'false' }),
        jsonServer: () => timeNode([jsonServer, '--version']),
      });
      return {
        findings: [
          {
            what: '`memory-read --version` against `node -e 0`',
            value: pairedRatio(version, bare),
            unit: '×',
            goal: { atMost: 1.2 },
          },
          {
            what: '`memory-read list` against `node -e 0`',
            value: pairedRatio(list, bare),
            unit: '×',
          },
          {
            what: '`memory-read list` against a process that only fetches the list',
            value: pairedRatio(list, fetched),
            unit: '×',
            goal: { atMost: 1.1 },
          },
          {
            what: '`memory-read --version` against `prism --version`',
            value: pairedRatio(version, peers.prism),
            unit: '×',
          },
          {
            what: '`memory-read --version` against `json-server --version`',
            value: pairedRatio(version, peers.jsonServer),
            unit: '×',
          },
          { what: '`node -e 0` by itself', value: spreadOf(bare), unit: 'ms' },
        ],
        explanation:
          'Most of the time of `list` is the first use of `fetch`, which Node loads lazily. commander, ky and the client share the rest. With ky alone, the same list takes 1.08 ×. Three trials: the compile cache of Node, in a folder of its own, saved 13 ms of 150 ms; one file with all modules saved 8 ms; both saved 19 ms. Neither is worth a folder that other users could write to, or a package whose files cannot be read.',
      };
    });
  },
};
