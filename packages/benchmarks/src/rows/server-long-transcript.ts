import { loadServer } from '../loopback/load-server.ts';
import { withServers } from '../loopback/start-server.ts';
import type { Curve, Means, Row } from '../measurement/row.ts';
import { memoryAnswerFile } from '../memories/answer-files.ts';
import { longRecord } from '../memories/long-record.ts';
import { memoryIdAt } from '../memories/small-records.ts';
import { longStoreFile } from '../memories/store-file.ts';
import { clockRatio, cpuRatio, loadAll } from './server-get-memory.ts';

const path = `/v1/memories/${memoryIdAt(0)}`;

export const serverLongTranscript: Row = {
  id: 'server-long-transcript',
  title: 'Server: one memory with a long transcript',
  method:
    'Eight connections request it repeatedly. One bare `node:http` sends the same bytes from a buffer: it reads, signs and encodes nothing. The other hashes and signs like the server, and reads the row as bytes each time. The server checks with SQLite each time that its cached transcript is current.',
  async measure(means) {
    const { folder, sizes } = means;
    const store = await longStoreFile(folder, sizes.segments);
    const answer = await memoryAnswerFile(folder, longRecord(sizes.segments));
    const programs = {
      ours: ['memory-read', store],
      bytes: ['fixed-answer', answer],
      row: ['bare-row', store],
    } as const;
    const load = { path, connections: 8, seconds: sizes.loadSeconds };
    const { ours, bytes, row } = await withServers(programs, (servers) => loadAll(servers, load, means));
    const what = `${sizes.segments.toLocaleString('en')} segments`;
    return {
      findings: [
        {
          what: `${what}, against bare \`node:http\` sending the same bytes`,
          value: cpuRatio(ours, bytes),
          unit: '×',
          goal: { atLeast: 0.9 },
        },
        { what: 'The same by the clock', value: clockRatio(ours, bytes), unit: '×' },
        { what: `${what}, against bare \`node:http\` that reads the row`, value: cpuRatio(ours, row), unit: '×' },
      ],
      curves: [await lengthCurve(means)],
      explanation:
        'The bare server only copies its bytes into the socket. The reference server does the same with the transcript, and adds the cost of any request: HTTP, hash, lookups and signatures. The longer the transcript, the smaller the difference. A transcript that is not cached is copied twice more, out of SQLite and into new memory, which takes several times as long as sending it. Three trials changed the result by less than its spread: without the adapter and the queue of requests, with a body that is already one buffer, and without the lookup that checks the cached transcript.',
    };
  },
};

async function lengthCurve({ folder, sizes }: Means): Promise<Curve> {
  const points: [number, number][] = [];
  for (let segments = 10; segments <= sizes.segments; segments *= 10) {
    const program = ['memory-read', await longStoreFile(folder, segments)] as const;
    const load = { path, connections: 8, seconds: sizes.loadSeconds };
    const { perCpuSecond } = await withServers({ ours: program }, ({ ours }) => loadServer(ours, load));
    points.push([segments, 1_000 / perCpuSecond]);
  }
  return {
    id: 'transcript-length',
    title: 'Processor time of one memory by the length of its transcript',
    xLabel: 'segments',
    yLabel: 'milliseconds',
    series: [{ name: 'reference server', points }],
  };
}
