import autocannon from 'autocannon';
import { type Rounds, runRounds } from '../measurement/run-rounds.ts';
import { authorization } from '../memories/account.ts';
import { memoryIdAt } from '../memories/small-records.ts';
import type { BenchServer } from './start-server.ts';

interface Load {
  connections: number;
  seconds: number;
}

/**
 * Loads one server after the other with reads of one memory. What counts is the number of requests in a second of the
 * processor time of each server: the generator of the load uses a processor, too.
 */
export function loadAll<Name extends string>(
  servers: Record<Name, BenchServer>,
  load: Load,
  rounds: number,
): Promise<Rounds<Name>> {
  const contenders = Object.entries<BenchServer>(servers).map(([name, server]) => [
    name,
    () => loadServer(server, load),
  ]);
  return runRounds(rounds, Object.fromEntries(contenders) as Record<Name, () => Promise<number>>);
}

/** @throws Error if a request gets no response or not a 200, because a faster failure is not a result. */
async function loadServer(server: BenchServer, { connections, seconds }: Load): Promise<number> {
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
  const { errors, non2xx } = result;
  const answers = result['2xx'];
  if (errors + non2xx > 0 || answers === 0) {
    throw new Error(
      `Failed to load ${path}: the server sent ${answers} responses with a 200, ${non2xx} with another status, and ${errors} requests failed. Send the request by hand.`,
    );
  }
  return (answers * 1_000_000) / (after.cpuMicroseconds - before.cpuMicroseconds);
}
