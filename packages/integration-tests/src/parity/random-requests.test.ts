import { join } from 'node:path';
import { createInMemoryStore } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { answersOf } from './answers-of.ts';
import { createMockHost } from './hosts/create-mock-host.ts';
import { startServerHost } from './hosts/start-server-host.ts';
import { judge } from './oracle/judge.ts';
import { randomCase } from './random-case.ts';

test('random requests get one and the same answer from mock and servers, the one of the specification', async () => {
  const seed = Math.trunc(Math.random() * 2 ** 31);
  const cases = fc.sample(randomCase, { numRuns: 500, seed }).map((parityCase, index) => {
    return { ...parityCase, title: `request ${index} of seed ${seed}` };
  });
  const memory = await startServerHost('in memory', createInMemoryStore());
  onTestFinished(memory.close);
  const store = openSqliteStore({ path: join(makeFolder(), 'memories.sqlite') });
  onTestFinished(() => store.close());
  const sqlite = await startServerHost('SQLite', store);
  onTestFinished(sqlite.close);

  const answers = await answersOf(memory, cases);
  const judged = cases.map((parityCase) => judge(parityCase, answers.get(parityCase.title) ?? expect.unreachable()));
  expect(judged.map(({ seen }) => seen)).toEqual(judged.map(({ right }) => right));
  for (const host of [sqlite, createMockHost('mock.fetch', ({ fetch }) => fetch)]) {
    const others = await answersOf(host, cases);
    expect([...others]).toEqual([...others.keys()].map((title) => [title, answers.get(title)]));
    expect(others.size).toBeGreaterThan(0.9 * cases.length);
  }
  const statuses = [...new Set([...answers.values()].map(({ status }) => String(status)))];
  expect(statuses).toEqual(expect.arrayContaining(['200', '401', '404', '405', '422']));
});
