import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startLoad } from '@memory-read/system-tests/server/faults/load';
import {
  connectionsTo,
  memoryCount,
  requestWithKey,
  type Service,
  startService,
} from '@memory-read/system-tests/server/faults/postgres-service';
import { processorTimeOf } from '@memory-read/test-kit/processor-time';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';

const parallel = 16;

export const postgresReplicas: Row = {
  id: 'postgres-replicas',
  title: 'Server: reads from PostgreSQL replicas',
  method: `\`memory-read serve\` over PostgreSQL without replicas, and with two. ${parallel} requests are in flight. What counts is the processor time of the connections to the primary, for each request.`,
  async measure({ sizes }) {
    const services: Record<'alone' | 'replicated', Service> = {
      alone: await startService({ processes: 1 }),
      replicated: await startService({ processes: 1, replicas: 2 }),
    };
    const { alone, replicated } = services;
    const compare = async (path: () => string, count: number, status = 200) => {
      const { ours, theirs } = await runRounds(sizes.longRounds, {
        ours: () => timePerRequest(replicated, path, count, status),
        theirs: () => timePerRequest(alone, path, count, status),
      });
      const of = (side: 'primary' | 'serve') =>
        [ours.map((time) => time[side]), theirs.map((time) => time[side])] as const;
      return { primary: of('primary'), serve: of('serve') };
    };
    try {
      const memories = await compare(() => '/v1/memories/mem_000001', 4 * sizes.callsARound);
      const lists = await compare(() => '/v1/memories', sizes.callsARound);
      const misses = await compare(() => `/v1/memories/${randomUUID()}`, 4 * sizes.callsARound, 404);
      const checks = await shareOfChecks(replicated, 10 * sizes.loadSeconds);
      const against = 'two replicas against none';
      return {
        findings: [
          ratio(`Primary, one memory: ${against}`, ...memories.primary, { atMost: 0.05 }),
          ratio(`Primary, a list of ${memoryCount}: ${against}`, ...lists.primary, { atMost: 0.05 }),
          ratio(`Primary, unknown memories: ${against}`, ...misses.primary, { atMost: 0.6 }),
          ratio(`\`serve\`, one memory: ${against}`, ...memories.serve, { atMost: 1.15 }),
          amount('Primary, checks of an idle `serve`: share of one core', '%', checks, { atMost: 0.5 }),
        ],
        explanation:
          '`serve` also chooses the server of each read. If a replica does not have a memory, it reads the primary, too.',
      };
    } finally {
      await Promise.all([alone.close(), replicated.close()]);
    }
  },
};

/**
 * Microseconds of the primary and of `serve` for each request.
 *
 * @throws Error if a request fails, because a faster failure is not a result.
 */
async function timePerRequest(service: Service, path: () => string, count: number, status: number) {
  const [server] = service.processes as [Service['processes'][number]];
  const before = await usage(service);
  const load = startLoad(parallel, () => requestWithKey(server, service.key, path()));
  await load.ended(count);
  await load.stop();
  const after = await usage(service);
  const failed = load.outcomes.find((outcome) => typeof outcome === 'string' || outcome.status !== status);
  if (failed !== undefined) {
    throw new Error(
      `Failed to measure ${path()}: the response was ${JSON.stringify(failed)}. Send the request by hand.`,
    );
  }
  const each = (side: 'primary' | 'serve') => (after[side] - before[side]) / load.outcomes.length;
  return { primary: each('primary'), serve: each('serve') };
}

async function usage({ postgres, processes }: Service) {
  const sumOf = (pids: number[]) => pids.reduce((sum, pid) => sum + processorTimeOf(pid), 0);
  return {
    primary: sumOf(await connectionsTo(postgres)),
    serve: sumOf(processes.map(({ child }) => child.pid ?? 0)),
  };
}

/** Percent of one core that the primary uses while no request arrives. */
async function shareOfChecks(service: Service, seconds: number): Promise<number> {
  const before = await usage(service);
  await wait(seconds * 1_000);
  const after = await usage(service);
  return (after.primary - before.primary) / (seconds * 10_000);
}
