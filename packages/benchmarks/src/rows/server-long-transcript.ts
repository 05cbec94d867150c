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
    'Eight connections ask for it, over and over. One bare `node:http` sends the same bytes, which it holds as a buffer: it reads, signs and encodes nothing. The other reads the row and signs as the server does.',
  async measure(means) {
    const { folder, sizes } = means;
    const store = await longStoreFile(folder, sizes.segments);
    const answer = await memoryAnswerFile(folder, longRecord(sizes.segments));
    const programs = {
      ours: ['memory-read', store],
      bytes: ['fixed-answer', answer],
      lookup: ['bare-lookup', store],
    } as const;
    const load = { path, connections: 8, seconds: sizes.loadSeconds };
    const { ours, bytes, lookup } = await withServers(programs, (servers) => loadAll(servers, load, means));
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
        { what: `${what}, against bare \`node:http\` that reads the row`, value: cpuRatio(ours, lookup), unit: '×' },
      ],
      curves: [await lengthCurve(means)],
      explanation:
        'What holds the bytes has nothing left to do but to write them. The server reads the text out of SQLite, which makes a string of UTF-8, splices it, and encodes it again; both are copies of the whole. The next idea is to read and send the transcript as bytes: `StoredMemory` would have to carry them.',
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
