import autocannon from 'autocannon';
import { authorization } from '../memories/account.ts';
import type { BenchServer } from './start-server.ts';

export interface Load {
  path: string;
  connections: number;
  seconds: number;
}

/** What a server made of a load. */
export interface Throughput {
  /** By the clock; the generator of the load uses a processor too, and may be what is slow. */
  perSecond: number;
  /** By the time that the server's process kept a processor busy, all its threads counted. */
  perCpuSecond: number;
}

/** @throws Error if a request gets no response or not a 200, because a faster failure is not a result. */
export async function loadServer(server: BenchServer, { path, connections, seconds }: Load): Promise<Throughput> {
  const before = await server.usage();
  const result = await autocannon({
    url: server.url + path,
    connections,
    duration: seconds,
    sampleInt: 100,
    headers: { authorization },
  });
  const after = await server.usage();
  const { errors, non2xx, duration } = result;
  const answers = result['2xx'];
  if (errors + non2xx > 0 || answers === 0) {
    throw new Error(
      `Failed to load ${path}: the server sent ${answers} responses with a 200, ${non2xx} with another status, and ${errors} requests failed. Send the request by hand.`,
    );
  }
  return {
    perSecond: answers / duration,
    perCpuSecond: (answers * 1_000_000) / (after.cpuMicroseconds - before.cpuMicroseconds),
  };
}
