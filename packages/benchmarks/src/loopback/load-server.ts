import autocannon from 'autocannon';
import { type Rounds, runRounds } from '../measurement/run-rounds.ts';
import { authorization } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';
import type { BenchServer } from './start-server.ts';

interface Load {
  connections: number;
  seconds: number;
}

/** What a server made of a load. */
interface Throughput {
  /** Requests by the clock; the generator of the load uses a processor too, and may be what is slow. */
  perSecond: number;
  /** Requests by the time that the server's process kept a processor busy, all its threads counted. */
  perCpuSecond: number;
}

/** Loads one server after the other with reads of one memory. */
export async function loadAll<Name extends string>(
  servers: Record<Name, BenchServer>,
  load: Load,
  rounds: number,
): Promise<Record<keyof Throughput, Rounds<Name>>> {
  const contenders = mapValues(servers, (server) => () => loadServer(server, load));
  const measured = await runRounds(rounds, contenders);
  return {
    perSecond: mapValues(measured, (results) => results.map(({ perSecond }) => perSecond)),
    perCpuSecond: mapValues(measured, (results) => results.map(({ perCpuSecond }) => perCpuSecond)),
  };
}

function mapValues<Name extends string, From, To>(values: Record<Name, From>, map: (value: From) => To) {
  const mapped = Object.entries<From>(values).map(([name, value]) => [name, map(value)]);
  return Object.fromEntries(mapped) as Record<Name, To>;
}

/** @throws Error if a request gets no response or not a 200, because a faster failure is not a result. */
async function loadServer(server: BenchServer, { connections, seconds }: Load): Promise<Throughput> {
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
