import { once } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { idsOf, type LargeLists, largeListLength, serveLargeLists } from './large-lists.ts';
import { startLoad } from './load.ts';
import { statuses } from './outcomes.ts';

const boundMs = 10_000;
let lists: LargeLists;

beforeEach(async () => {
  lists = await serveLargeLists();
});

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)(
  'completes lists in flight on %s under load, refuses new connections, and ends with %i',
  async (signal, exitCode) => {
    const { server, key } = lists;
    const load = startLoad(6, () =>
      fetch(`${server.baseUrl}/v1/memories/mem_1`, { headers: { 'x-api-key': key, connection: 'close' } }),
    );
    const begun = await Promise.all(Array.from({ length: 4 }, lists.begin));
    await load.ended(30);
    const ended = once(server.child, 'exit');
    server.child.kill(signal);
    const signalledAt = performance.now();
    await lists.refuses();
    await load.stop();
    expect(server.child.exitCode, 'it waits for those who read slowly').toBeNull();

    for (const ids of await Promise.all(begun.map(idsOf))) expect(new Set(ids).size).toBe(largeListLength);
    expect(await ended).toEqual([exitCode, null]);
    expect(performance.now() - signalledAt).toBeLessThan(boundMs);
    expect(statuses(load.outcomes).filter((status) => status !== 'broken')).toEqual(['200']);
  },
);
