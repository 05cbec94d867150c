import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMirror } from '@memory-read/mirror';
import { withServers } from '../loopback/start-server.ts';
import type { Row } from '../measurement/row.ts';
import { timeNode } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio } from '../measurement/statistics.ts';
import { apiKey } from '../memories/account.ts';
import { listAnswerFile } from '../memories/answer-files.ts';
import { smallRecords } from '../memories/small-records.ts';
import { spokenAccount } from '../memories/spoken-memories.ts';

const load = createRequire(import.meta.url);
const cli = fileURLToPath(new URL('dist/main.js', `file://${load.resolve('@memory-read/cli/package.json')}`));

export const cliLongOutputs: Row = {
  id: 'cli-long-outputs',
  title: 'The command line with many memories',
  method:
    'Each measurement is a whole process, and one bare server sends the same bytes to all. `memory-read list` prints a table that is 80 columns wide; it validates each field. The other process fetches and parses the list, and prints it as JSON. The ids are completed from a mirror.',
  async measure({ sizes, folder }) {
    const place = join(folder, 'completed');
    mkdirSync(place);
    const mirror = await openMirror({ folder: place });
    await mirror.sync(spokenAccount(sizes.completedMemories, sizes.completedMemories).client());
    await mirror.close();
    const file = await listAnswerFile(folder, smallRecords(sizes.serverListLength));
    return withServers({ api: ['fixed-answer', file] }, async ({ api }) => {
      const connection = { MEMORY_API_URL: api.url, MEMORY_API_KEY: apiKey };
      const width = { COLUMNS: '80' };
      const printList = `console.log(JSON.stringify(JSON.parse(await (await fetch('${api.url}')).text())))`;
      const { table, jsonl, printed } = await runRounds(sizes.longRounds, {
        table: () => timeNode([cli, 'list', '--format', 'table'], { ...connection, ...width }),
        jsonl: () => timeNode([cli, 'list', '--format', 'jsonl'], connection),
        printed: () => timeNode(['--input-type=module', '-e', printList]),
      });
      const { ids, version } = await runRounds(sizes.rounds, {
        ids: () => timeNode([cli, 'complete-ids', 'mem_'], { MEMORY_READ_MIRROR: place }),
        version: () => timeNode([cli, '--version']),
      });
      const length = sizes.serverListLength.toLocaleString('en');
      const completed = sizes.completedMemories.toLocaleString('en');
      return {
        findings: [
          {
            what: `\`list\` of ${length} as a table, against \`JSON.parse\` and print`,
            value: pairedRatio(table, printed),
            unit: '×',
            goal: { atMost: 3 },
          },
          {
            what: `\`list\` of ${length} as JSON Lines, against the same`,
            value: pairedRatio(jsonl, printed),
            unit: '×',
          },
          {
            what: `\`complete-ids\` over a mirror of ${completed}, against \`--version\``,
            value: pairedRatio(ids, version),
            unit: '×',
            goal: { atMost: 3 },
          },
        ],
      };
    });
  },
};
