import { loadAll } from '../loopback/load-server.ts';
import { withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { longStoreFile, memoryAnswerFile } from '../memories/files.ts';
import { longRecord } from '../memories/small-records.ts';

export const serverLongTranscript: Row = {
  id: 'server-long-transcript',
  title: 'Server: one memory with a long transcript',
  method:
    'Eight connections request it repeatedly. The bare `node:http` sends the same bytes from a buffer: it reads, signs and encodes nothing. The server checks with SQLite each time that its cached transcript is current.',
  async measure({ folder, sizes }) {
    const store = await longStoreFile(folder, sizes.segments);
    const programs = {
      ours: ['reference-server', store],
      bytes: ['fixed-answer', await memoryAnswerFile(folder, longRecord(sizes.segments))],
    } as const;
    const load = { connections: 8, seconds: sizes.loadSeconds };
    const { perCpuSecond: cpu, perSecond: clock } = await withServers(programs, (servers) =>
      loadAll(servers, load, sizes.longRounds),
    );
    const what = `${sizes.segments.toLocaleString('en')} segments, against bare \`node:http\` sending the same bytes`;
    return {
      findings: [
        ratio(what, cpu.ours, cpu.bytes, { atLeast: 0.9 }),
        ratio('The same by the clock', clock.ours, clock.bytes),
      ],
      explanation:
        'The bare server only copies its bytes into the socket. The reference server does the same with the transcript, and adds the cost of any request: HTTP, hash, lookups and signatures. The longer the transcript, the smaller the difference. A transcript that is not cached is copied twice more, out of SQLite and into new memory, which takes several times as long as sending it. Most of the time is in `writev`, the call with which the system copies the bytes. Three trials changed the result by less than its spread: without the adapter and the queue of requests, with a body that is already one buffer, and without the lookup that checks the cached transcript.',
    };
  },
};
