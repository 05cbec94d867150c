import { createMemoryMock } from '@memory-read/msw';
import { type MockSpace, startMockServer } from '@memory-read/msw/server';
import { collectGarbage } from '@memory-read/test-kit/collect-garbage';
import { loadAll } from '../loopback/load-server.ts';
import { withServers } from '../loopback/start-server.ts';
import { amount, ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { time } from '../measurement/time.ts';

const SPACES = 50;

export const mockServer: Row = {
  id: 'mock-server',
  title: 'The mock as a server: spaces and requests',
  method:
    'A space has two listening ports, a key and the twelve generated memories, which `createMemoryMock` has too. autocannon reads one memory over 32 connections. `serve` has the same memory in its in-memory store, and keeps no log.',
  async measure({ sizes }) {
    const server = await startMockServer({ memories: [] });
    // The first spaces, because later ones find room that others have left.
    const heldMegabytes = await memoryOfSpaces(server.openSpace);
    const opened: MockSpace[] = [];
    const { space, mock } = await runRounds(sizes.rounds, {
      space: () => time(async () => opened.push(await server.openSpace())),
      mock: () => time(() => createMemoryMock()),
    });
    await Promise.all(opened.map((each) => each.close()));
    await server.close();
    const programs = { mock: ['one-memory', 'mock'], serve: ['one-memory', 'serve'] } as const;
    return withServers(programs, async (servers) => {
      const load = { connections: 32, seconds: sizes.loadSeconds };
      const cpu = await loadAll(servers, load, sizes.longRounds);
      return {
        findings: [
          ratio('`openSpace`, against `createMemoryMock`', space, mock, { atMost: 1.5 }),
          amount('Memory of a space', 'MB', heldMegabytes, { atMost: 1 }),
          ratio('Requests, against `serve`', cpu.mock, cpu.serve, { atLeast: 0.5 }),
        ],
        explanation: 'The rest of a request is its entry in the log, and the search for keys in it.',
      };
    });
  },
};

/** Megabytes that a space holds, over many of them. */
async function memoryOfSpaces(openSpace: () => Promise<MockSpace>): Promise<number> {
  await collectGarbage();
  const before = process.memoryUsage().rss;
  const spaces = await Promise.all(Array.from({ length: SPACES }, () => openSpace()));
  await collectGarbage();
  const held = process.memoryUsage().rss - before;
  await Promise.all(spaces.map((space) => space.close()));
  return held / SPACES / 1_000_000;
}
