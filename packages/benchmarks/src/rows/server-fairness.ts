import { setTimeout as wait } from 'node:timers/promises';
import { endReading, readTimed } from '../loopback/read-timed.ts';
import { requestUnread } from '../loopback/request-unread.ts';
import { type BenchServer, withServers } from '../loopback/start-server.ts';
import { amount } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { smallStoreFile } from '../memories/files.ts';

const readers = 4;
const unread = 100;
/** Milliseconds between two requests of `/healthz`. */
const pause = 10;

export const serverFairness: Row = {
  id: 'server-fairness',
  title: 'Server: a health check beside long lists',
  method:
    '`memory-read serve` over SQLite, while other connections request lists. `/healthz` is requested every 10 ms, and the longest time until its response counts.',
  async measure({ folder, sizes }) {
    const service = ['service', await smallStoreFile(folder, sizes.serverListLength)] as const;
    const { read, stalled } = await withServers({ service }, async ({ service: server }) => {
      const list = `${server.url}/v1/memories`;
      await readTimed(`${server.url}/healthz`);
      const ofReaders = await longestCheck(server, () => readAtOnce(list));
      const ofStalled = await longestCheck(server, async () => {
        const sockets = await requestUnread(list, unread);
        await readAtOnce(list);
        for (const socket of sockets) socket.destroy();
      });
      return { read: ofReaders, stalled: ofStalled };
    });
    endReading();
    const length = sizes.serverListLength.toLocaleString('en');
    const ofReaders = `${readers} readers of ${length} memories`;
    return {
      findings: [
        amount(`Longest time of \`/healthz\` beside ${ofReaders}`, 'ms', read, { atMost: 250 }),
        amount(`The same with ${unread} connections that read nothing`, 'ms', stalled, { atMost: 250 }),
      ],
      explanation: 'SQLite reads synchronously in the thread that answers all requests.',
    };
  },
};

async function readAtOnce(url: string): Promise<void> {
  await Promise.all(Array.from({ length: readers }, () => readTimed(url)));
}

/** Milliseconds of the slowest health check during a load. */
async function longestCheck({ url }: BenchServer, load: () => Promise<void>): Promise<number> {
  let isLoaded = true;
  const loading = load().finally(() => {
    isLoaded = false;
  });
  let longest = 0;
  while (isLoaded) {
    const { total } = await readTimed(`${url}/healthz`);
    longest = Math.max(longest, total);
    await wait(pause);
  }
  await loading;
  return longest;
}
