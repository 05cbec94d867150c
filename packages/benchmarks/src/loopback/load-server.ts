import autocannon from 'autocannon';
import { type Rounds, runRounds } from '../measurement/run-rounds.ts';
import { authorization } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';
import type { BenchServer } from './start-server.ts';

interface Load {
  connections: number;
  seconds: number;
}

/** What each server made of a load, round by round. */
export interface Loads<Name extends string> {
  /** Requests by the clock; the generator of the load uses a processor too, and may be what is slow. */
  perSecond: Rounds<Name>;
  /** Requests by the time that the server's process kept a processor busy, all its threads counted. */
  perCpuSecond: Rounds<Name>;
}

/** Loads one server after the other with reads of one memory. */
export async function loadAll<Name extends string>(
  servers: Record<Name, BenchServer>,
  load: Load,
  rounds: number,
): Promise<Loads<Name>> {
  const perSecond = {} as Rounds<Name>;
  const contenders = Object.entries<BenchServer>(servers).map(([name, server]) => {
    const kept: number[] = [];
    perSecond[name as Name] = kept;
    const run = async () => {
      const throughput = await loadServer(server, load);
      kept.push(throughput.perSecond);
      return throughput.perCpuSecond;
    };
    return [name, run] as const;
  });
  const perCpuSecond = await runRounds(rounds, Object.fromEntries(contenders) as Record<Name, () => Promise<number>>);
  // The first round is a warm-up and does not count.
  for (const kept of Object.values<number[]>(perSecond)) kept.shift();
  return { perSecond, perCpuSecond };
}

/** @throws Error if a request gets no response or not a 200, because a faster failure is not a result. */
async function loadServer(server: BenchServer, { connections, seconds }: Load) {
  const path = `/v1/memories/${memoryIdAt(0)}`;
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
