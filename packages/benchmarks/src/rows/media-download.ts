import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withServers } from '../loopback/start-server.ts';
import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';
import { memoryAnswerFile } from '../memories/answer-files.ts';
import { longRecord } from '../memories/long-record.ts';

const program = fileURLToPath(new URL('../programs/download.ts', import.meta.url));

interface Download {
  milliseconds: number;
  bytes: number;
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
        const result = download(kind, url);
        runs[name].push(result);
        return result.milliseconds;
      };
      const rounds = await runRounds(sizes.longRounds, {
        ours: run('ours', 'ours', large.url),
        fetch: run('fetch', 'fetch', large.url),
        oursSmall: run('oursSmall', 'ours', small.url),
      });
      const growth = (name: 'ours' | 'fetch', measure: 'peakBytes' | 'heldBytes') => {
        const base = spreadOf(runs.oursSmall.map((result) => result[measure])).median;
        return spreadOf(runs[name].map((result) => (result[measure] - base) / 1_048_576));
      };
      return {
        findings: [
          {
            what: `${size} MiB: bytes a second, against the body of \`fetch\``,
            value: pairedRatio(rounds.fetch, rounds.ours),
            unit: '×',
            goal: { atLeast: 0.9 },
          },
          {
            what: 'Memory held after it, over that after 1 MiB',
            value: growth('ours', 'heldBytes'),
            unit: 'MiB',
            goal: { atMost: 1 },
          },
          {
            what: 'Most memory ever used, over that for 1 MiB',
            value: growth('ours', 'peakBytes'),
            unit: 'MiB',
            goal: { atMost: 64 },
          },
          {
            what: 'The same with `fetch`, over that of the client for 1 MiB',
            value: growth('fetch', 'peakBytes'),
            unit: 'MiB',
          },
        ],
        explanation:
          'The client passes on chunks without copying or storing them. The memory of the process consists of buffers that V8 has not collected yet. `fetch` alone needs as much. The amount depends on the time of the collection, not on the length of the body.',
      };
    });
  },
};

function download(kind: 'ours' | 'fetch', baseUrl: string): Download {
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', program, kind, baseUrl], { encoding: 'utf8' }));
}
