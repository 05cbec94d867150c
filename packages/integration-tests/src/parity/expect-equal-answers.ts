import { createInMemoryStore } from '@memory-read/server';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { createAsk } from './ask.ts';
import { createMockHost, createWorldMock } from './hosts/create-mock-host.ts';
import { startServerHost } from './hosts/start-server-host.ts';
import { startSqliteHost } from './hosts/start-sqlite-host.ts';
import type { Answer } from './normal-answer.ts';
import { judge } from './oracle/judge.ts';
import { randomCase } from './random-case.ts';

/**
 * Sends this number of random requests to mock and servers, and expects the same correct response from all. Prints a
 * failing seed.
 */
export async function expectEqualAnswers(requests: number): Promise<void> {
  const [memory, sqlite] = [await startServerHost('in memory', createInMemoryStore()), await startSqliteHost()];
  try {
    const mock = createWorldMock();
    const hosts = [createMockHost('mock.fetch', mock, mock.fetch), sqlite, memory].map(createAsk);
    const statuses: Record<number, number> = {};
    const property = fc.asyncProperty(randomCase, async (parityCase) => {
      const outcomes = await Promise.all(hosts.map((ask) => ask(parityCase)));
      const answers = outcomes.flatMap((outcome): Answer[] => ('answer' in outcome ? [outcome.answer] : []));
      const last = answers.at(-1);
      for (const answer of answers) expect(answer).toEqual(last);
      if (last === undefined) return;
      const { seen, right } = judge(parityCase, last);
      expect(seen).toEqual(right);
      statuses[last.status] = (statuses[last.status] ?? 0) + 1;
    });
    await fc.assert(property, { numRuns: requests });
    console.log(`${requests} random requests, by status: ${JSON.stringify(statuses)}`);
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['200', '401', '404', '405', '422']));
  } finally {
    await memory.close();
    await sqlite.close();
  }
}
