import { loadAll } from '../loopback/load-server.ts';
import { withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { longStoreFile, memoryAnswerFile } from '../memories/files.ts';
import { longRecord } from '../memories/small-records.ts';

export const serverLongTranscript: Row = {
  id: 'server-long-transcript',
  title: 'Server: one memory with a long transcript',
  method: 'Eight connections request it repeatedly. The bare `node:http` sends the same bytes from a buffer.',
  async measure({ folder, sizes }) {
    const store = await longStoreFile(folder, sizes.segments);
    const programs = {
      ours: ['reference-server', store],
      bytes: ['fixed-answer', await memoryAnswerFile(folder, longRecord(sizes.segments))],
    } as const;
    const load = { connections: 8, seconds: sizes.loadSeconds };
    const cpu = await withServers(programs, (servers) => loadAll(servers, load, sizes.longRounds));
    const what = `${sizes.segments.toLocaleString('en')} segments, against bare \`node:http\` sending the same bytes`;
    return {
      findings: [ratio(what, cpu.ours, cpu.bytes, { atLeast: 0.9 })],
      explanation:
        'The server adds the cost of any request: HTTP, hash, lookups and signatures. Sending a transcript that is not cached takes several times as long.',
    };
  },
};
