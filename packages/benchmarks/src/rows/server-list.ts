import { endReading, readTimed, type TimedReading } from '../loopback/read-timed.ts';
import { type BenchServer, withServers } from '../loopback/start-server.ts';
import { type Curve, exactly, type Means, type Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio } from '../measurement/statistics.ts';
import { smallStoreFile } from '../memories/store-file.ts';

const path = '/v1/memories';
const shortLength = 10;

export const serverList: Row = {
  id: 'server-list',
  title: 'Server: a long list',
  method:
    'One reader reads the whole list and discards it. The bare `node:http` streams the rows of one cursor with the same signatures. It holds the cursor while the reader is slow. The reference server reads pages, so a slow reader holds no cursor. Both have the small heap of `memory-read serve`.',
  async measure(means) {
    const { folder, sizes } = means;
    const long = await smallStoreFile(folder, sizes.serverListLength);
    const short = await smallStoreFile(folder, shortLength);
    const programs = { ours: ['memory-read', long], bare: ['bare-list', long], short: ['memory-read', short] } as const;
    const result = await withServers(programs, async (servers) => {
      const growth = await memoryGrowth(servers.ours);
      const { ours, bare } = await measureLists(servers, sizes.longRounds);
      const first = await firstBytes(servers, sizes.rounds);
      return { growth, ours, bare, first };
    });
    const curve = await lengthCurve(means);
    endReading();
    return {
      findings: [
        {
          what: `${sizes.serverListLength.toLocaleString('en')} memories a second, against bare \`node:http\``,
          value: pairedRatio(result.bare, result.ours),
          unit: '×',
          goal: { atLeast: 0.6 },
        },
        {
          what: `First byte, against that of a list of ${shortLength}`,
          value: result.first,
          unit: '×',
          goal: { atMost: 3 },
        },
        {
          what: 'Most memory ever held (VmHWM), over that after one memory',
          value: exactly(result.growth / 1_048_576),
          unit: 'MiB',
          goal: { atMost: 32 },
        },
      ],
      curves: [curve],
      explanation:
        'Each row passes an asynchronous iterator, three signatures and one `JSON.stringify`, which leave 12 kB of garbage; every 16 KiB become a chunk of a stream. The server holds no rows, however long the list is. Only the garbage that V8 has not collected yet grows. A next step is less garbage for each row.',
    };
  },
};

/** One memory is read first, so that the growth does not include that of the first request. */
async function memoryGrowth(server: BenchServer): Promise<number> {
  await readTimed(`${server.url}/v1/memories/mem_00000000`);
  const before = await server.usage();
  await readTimed(server.url + path);
  const after = await server.usage();
  return after.peakBytes - before.peakBytes;
}

/** Milliseconds for the whole list. Both lists must have the same length, because different lists cannot be compared. */
async function measureLists(servers: Record<'ours' | 'bare', BenchServer>, rounds: number) {
  const readings: Record<'ours' | 'bare', TimedReading[]> = { ours: [], bare: [] };
  const read = (name: 'ours' | 'bare') => async () => {
    const reading = await readTimed(servers[name].url + path);
    readings[name].push(reading);
    return reading.total;
  };
  const times = await runRounds(rounds, { ours: read('ours'), bare: read('bare') });
  const lengths = new Set([...readings.ours, ...readings.bare].map(({ bytes }) => bytes));
  if (lengths.size === 1) return times;
  throw new Error(`Failed to compare lists: their bytes are ${[...lengths].join(', ')}. Make them equal.`);
}

async function firstBytes({ ours, short }: Record<'ours' | 'short', BenchServer>, rounds: number) {
  const firstByte = async (server: BenchServer) => (await readTimed(server.url + path)).firstByte;
  const times = await runRounds(rounds, { long: () => firstByte(ours), short: () => firstByte(short) });
  return pairedRatio(times.long, times.short);
}

async function lengthCurve({ folder, sizes }: Means): Promise<Curve> {
  const whole: [number, number][] = [];
  const first: [number, number][] = [];
  for (let length = 10; length <= sizes.serverListLength; length *= 10) {
    const program = ['memory-read', await smallStoreFile(folder, length)] as const;
    await withServers({ ours: program }, async ({ ours }) => {
      await readTimed(ours.url + path);
      const { firstByte, total } = await readTimed(ours.url + path);
      whole.push([length, total]);
      first.push([length, firstByte]);
    });
  }
  return {
    id: 'list-length',
    title: 'Time of a list by its length',
    xLabel: 'memories',
    yLabel: 'milliseconds',
    series: [
      { name: 'whole list', points: whole },
      { name: 'first byte', points: first },
    ],
  };
}
