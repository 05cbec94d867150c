import { withServers } from '../loopback/start-server.ts';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runProgram } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { spreadOf } from '../measurement/statistics.ts';
import { memoryAnswerFile } from '../memories/files.ts';
import { longRecord } from '../memories/small-records.ts';

interface Download {
  milliseconds: number;
  peakBytes: number;
  heldBytes: number;
}

export const mediaDownload: Row = {
  id: 'media-download',
  title: 'Client: a download',
  method:
    'Each download is a separate process that reads the whole body and discards it. `openMedia` requests the URL from the API first, counts bytes, and detects stalls; `fetch` already has the URL. Memory held is the size of heap and buffers after garbage collection.',
  async measure({ sizes, folder }) {
    const memory = await memoryAnswerFile(folder, longRecord(3));
    const size = String(sizes.mediaMegabytes);
    const programs = { large: ['media-storage', memory, size], small: ['media-storage', memory, '1'] } as const;
    return withServers(programs, async ({ large, small }) => {
      const runs = { ours: [] as Download[], fetch: [] as Download[], oursSmall: [] as Download[] };
      const run = (name: keyof typeof runs, kind: 'ours' | 'fetch', url: string) => () => {
        const download = runProgram<Download>('download', kind, url);
        runs[name].push(download);
        return download.milliseconds;
      };
      const times = await runRounds(sizes.longRounds, {
        ours: run('ours', 'ours', large.url),
        fetch: run('fetch', 'fetch', large.url),
        oursSmall: run('oursSmall', 'ours', small.url),
      });
      const growth = (name: 'ours' | 'fetch', measure: 'peakBytes' | 'heldBytes') => {
        const base = spreadOf(runs.oursSmall.map((download) => download[measure])).median;
        return runs[name].map((download) => (download[measure] - base) / 1_048_576);
      };
      const faster = `${size} MiB: bytes a second, against the body of \`fetch\``;
      const held = 'Memory held after it, over that after 1 MiB';
      const peak = 'Most memory ever used, over that for 1 MiB';
      return {
        findings: [
          // Fewer milliseconds are more bytes a second.
          ratio(faster, times.fetch, times.ours, { atLeast: 0.9 }),
          amount(held, 'MiB', growth('ours', 'heldBytes'), { atMost: 1 }),
          amount(peak, 'MiB', growth('ours', 'peakBytes'), { atMost: 64 }),
          amount('The same with `fetch`, over that of the client for 1 MiB', 'MiB', growth('fetch', 'peakBytes')),
        ],
        explanation:
          'The client passes on chunks without copying or storing them. The memory of the process consists of buffers that V8 has not collected yet. `fetch` alone needs as much. The amount depends on the time of the collection, not on the length of the body.',
      };
    });
  },
};
