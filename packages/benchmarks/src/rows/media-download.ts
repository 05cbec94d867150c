import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withServers } from '../loopback/start-server.ts';
import { exactly, type Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio } from '../measurement/statistics.ts';
import { memoryAnswerFile } from '../memories/answer-files.ts';
import { longRecord } from '../memories/long-record.ts';

const program = fileURLToPath(new URL('../programs/download.ts', import.meta.url));

interface Download {
  milliseconds: number;
  bytes: number;
  peakBytes: number;
}

export const mediaDownload: Row = {
  id: 'media-download',
  title: 'Client: a download',
  method:
    'Each download is a process of its own that reads the body to its end and drops it. `openMedia` asks the API for the URL first, counts bytes, and watches over stalls; `fetch` has the URL already.',
  async measure({ sizes, folder }) {
    const memory = await memoryAnswerFile(folder, longRecord(3));
    const size = String(sizes.mediaMegabytes);
    const programs = { large: ['media-storage', memory, size], small: ['media-storage', memory, '1'] } as const;
    return withServers(programs, async ({ large, small }) => {
      const run = (kind: 'ours' | 'fetch', url = large.url) => download(kind, url);
      const rounds = await runRounds(sizes.longRounds, {
        ours: () => run('ours').milliseconds,
        fetch: () => run('fetch').milliseconds,
      });
      const growth = run('ours').peakBytes - run('ours', small.url).peakBytes;
      const growthOfFetch = run('fetch').peakBytes - run('fetch', small.url).peakBytes;
      return {
        findings: [
          {
            what: `${size} MiB: bytes a second, against the body of \`fetch\``,
            value: pairedRatio(rounds.fetch, rounds.ours),
            unit: '×',
            goal: { atLeast: 0.9 },
          },
          {
            what: 'Most memory ever held, over that for 1 MiB',
            value: exactly(growth / 1_048_576),
            unit: 'MiB',
            goal: { atMost: 64 },
          },
          { what: 'The same with `fetch`', value: exactly(growthOfFetch / 1_048_576), unit: 'MiB' },
        ],
        explanation:
          'The body is a stream over the stream of `fetch`, and each chunk is raced against a stall; chunks are handed on as they come, never copied.',
      };
    });
  },
};

function download(kind: 'ours' | 'fetch', baseUrl: string): Download {
  return JSON.parse(execFileSync(process.execPath, [program, kind, baseUrl], { encoding: 'utf8' }));
}
