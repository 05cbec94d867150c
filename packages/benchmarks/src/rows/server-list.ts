import { endReading, readTimed } from '../loopback/read-timed.ts';
import { type BenchServer, withServers } from '../loopback/start-server.ts';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { smallStoreFile } from '../memories/files.ts';
import { memoryIdAt } from '../memories/small-records.ts';

const shortLength = 10;

export const serverList: Row = {
  id: 'server-list',
  title: 'Server: a long list',
  method:
    'One reader reads the whole list and discards it. The bare `node:http` streams one cursor with the same signatures. The server reads pages, so a slow reader holds no cursor.',
  async measure({ folder, sizes }) {
    const long = await smallStoreFile(folder, sizes.serverListLength);
    const short = await smallStoreFile(folder, shortLength);
    const programs = {
      ours: ['reference-server', long],
      bare: ['bare', long],
      short: ['reference-server', short],
    } as const;
    const { growth, lists, firstBytes } = await withServers(programs, async ({ ours, bare, short }) => ({
      growth: await memoryGrowth(ours),
      lists: await timeLists({ ours, bare }, sizes.longRounds),
      firstBytes: await runRounds(sizes.rounds, {
        long: async () => (await readList(ours)).firstByte,
        short: async () => (await readList(short)).firstByte,
      }),
    }));
    endReading();
    const length = sizes.serverListLength.toLocaleString('en');
    const grown = 'Most memory ever held (VmHWM), over that after one memory';
    return {
      findings: [
        // Fewer milliseconds are more memories a second.
        ratio(`${length} memories a second, against bare \`node:http\``, lists.bare, lists.ours, { atLeast: 0.6 }),
        ratio(`First byte, against that of a list of ${shortLength}`, firstBytes.long, firstBytes.short, { atMost: 3 }),
        amount(grown, 'MiB', growth / 1_048_576, { atMost: 32 }),
      ],
      explanation:
        'The server holds no rows, however long the list is. Only the garbage that V8 has not collected yet grows.',
    };
  },
};

function readList({ url }: BenchServer) {
  return readTimed(`${url}/v1/memories`);
}

/** One memory is read first, so that the growth does not include that of the first request. */
async function memoryGrowth(server: BenchServer): Promise<number> {
  await readTimed(`${server.url}/v1/memories/${memoryIdAt(0)}`);
  const before = await server.usage();
  await readList(server);
  const after = await server.usage();
  return after.peakBytes - before.peakBytes;
}

/** Milliseconds for the whole list. Both lists must have the same length, because different lists cannot be compared. */
async function timeLists(servers: Record<'ours' | 'bare', BenchServer>, rounds: number) {
  const lengths = new Set<number>();
  const read = (server: BenchServer) => async () => {
    const { total, bytes } = await readList(server);
    lengths.add(bytes);
    return total;
  };
  const times = await runRounds(rounds, { ours: read(servers.ours), bare: read(servers.bare) });
  if (lengths.size === 1) return times;
  throw new Error(`Failed to compare lists: their bytes are ${[...lengths].join(', ')}. Make them equal.`);
}
