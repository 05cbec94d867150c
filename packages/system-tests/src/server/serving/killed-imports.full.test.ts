import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { listAll } from '@memory-read/test-kit/memory-service';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { afterAll, expect, test } from 'vitest';
import { recordLines } from './many-records.ts';
import { spawnCommand } from './start-serve.ts';

const kills = runCounts.killedImports.full;
const batch = 3_000;
const db = join(makeFolder(afterAll), 'memories.sqlite');

test(`kill -9 at ${kills} different moments of an import stores all or nothing, and keeps what was there`, async () => {
  await end(startImport('user_before', recordLines(50, 'before')));
  const outcomes: number[] = [];
  for (let moment = 0; moment < kills; moment += 1) {
    const userId = `user_${moment}`;
    const child = await (moment < kills / 2
      ? untilFed(userId, 1 + moment * 100)
      : untilWritten(userId, (moment - kills / 2) * 500_000));
    child.kill('SIGKILL');
    await end(child);
    outcomes.push(await countOf(userId));
    expect(await countOf('user_before'), `after the kill in moment ${moment}`).toBe(50);
  }
  expect(outcomes.filter((stored) => stored !== 0 && stored !== batch)).toEqual([]);
  expect(outcomes.filter((stored) => stored === 0).length).toBeGreaterThan(kills / 2);
}, 300_000);

function startImport(userId: string, input: Iterable<string> | AsyncIterable<string>): ChildProcess {
  const child = spawnCommand(['import', '-', '--account', userId, '--db', db], {});
  pipeline(input, child.stdin).catch(() => {});
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** An import that has received some lines and waits for more. */
async function untilFed(userId: string, total: number): Promise<ChildProcess> {
  const fed = Promise.withResolvers<void>();
  async function* some() {
    yield* recordLines(total, userId);
    fed.resolve();
    await new Promise(() => {});
  }
  const child = startImport(userId, some());
  await fed.promise;
  return child;
}

/** Waits until the transaction of an import has written this much, or has ended. */
async function untilWritten(userId: string, bytes: number): Promise<ChildProcess> {
  const child = startImport(userId, recordLines(batch, userId));
  const written = () => statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  while (child.exitCode === null && written() <= bytes) await nextTurn();
  return child;
}

async function countOf(userId: string): Promise<number> {
  const store = openSqliteStore({ path: db });
  const { length } = await listAll(store, userId);
  await store.close();
  return length;
}
