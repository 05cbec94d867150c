import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withServers } from '../loopback/start-server.ts';
import { exactly, type Row } from '../measurement/row.ts';
import { memoryAnswerFile } from '../memories/answer-files.ts';
import { longRecord } from '../memories/long-record.ts';

const program = fileURLToPath(new URL('../programs/call-often.ts', import.meta.url));

export const clientMemoryHeld: Row = {
  id: 'client-memory-held',
  title: 'Client: memory held after many calls',
  method:
    'A separate process calls `getMemory` with one signal for all calls. Heap and buffers are measured after garbage collection, once after the first tenth of the calls and once after the last call.',
  async measure({ sizes, folder }) {
    const file = await memoryAnswerFile(folder, longRecord(3));
    return withServers({ api: ['fixed-answer', file] }, async ({ api }) => {
      const args = ['--expose-gc', program, api.url, String(sizes.callsForMemory)];
      const grown = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
      return {
        findings: [
          {
            what: `Growth over ${sizes.callsForMemory.toLocaleString('en')} calls`,
            value: exactly(grown / 1_048_576),
            unit: 'MiB',
            goal: { atMost: 1 },
          },
        ],
      };
    });
  },
};
