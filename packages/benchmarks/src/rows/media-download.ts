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
    'A separate process reads the whole body and discards it. `openMedia` also requests the URL, counts bytes and detects stalls. Memory held is heap and buffers after garbage collection.',
  async measure({ sizes, folder }) {
    const memory = await memoryAnswerFile(folder, longRecord(3));
    const size = String(sizes.mediaMegabytes);
    const programs = { large: ['media-storage', memory, size], small: ['media-storage', memory, '1'] } as const;
    return withServers(programs, async ({ large, small }) => {
      const download = (kind: 'ours' | 'fetch', url: string) => () => runProgram<Download>('download', [kind, url]);
      const runs = await runRounds(sizes.longRounds, {
        ours: download('ours', large.url),
        fetch: download('fetch', large.url),
        oursSmall: download('ours', small.url),
      });
      const valuesOf = (name: keyof typeof runs, measure: keyof Download) => runs[name].map((run) => run[measure]);
      const growth = (measure: 'peakBytes' | 'heldBytes') => {
        const base = spreadOf(valuesOf('oursSmall', measure)).median;
        return valuesOf('ours', measure).map((bytes) => (bytes - base) / 1_048_576);
      };
      const faster = `${size} MiB: bytes a second, against the body of \`fetch\``;
      const held = 'Memory held after it, over that after 1 MiB';
      const peak = 'Most memory ever used, over that for 1 MiB';
      return {
        findings: [
          // Fewer milliseconds are more bytes a second.
          ratio(faster, valuesOf('fetch', 'milliseconds'), valuesOf('ours', 'milliseconds'), { atLeast: 0.9 }),
          amount(held, 'MiB', growth('heldBytes'), { atMost: 1 }),
          amount(peak, 'MiB', growth('peakBytes'), { atMost: 64 }),
        ],
        explanation: 'The memory consists of buffers that V8 has not collected yet. `fetch` alone needs as much.',
      };
    });
  },
};
