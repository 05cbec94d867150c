import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createApiKey } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { listAll } from '@memory-read/test-kit/memory-service';
import { root } from '@memory-read/test-kit/repository';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { afterAll, expect, test } from 'vitest';
import { listBesideSlowReader } from './list-beside-slow-reader.ts';
import { manyRecords } from './many-records.ts';
import { startServe } from './start-serve.ts';

const count = 100_000;
const kills = runCounts.killedImports.full;
const killedBatch = 3_000;
const notePeakMemory = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  process.on('exit', () => writeFileSync('peak-kilobytes', String(process.resourceUsage().maxRSS)));
`)}`;
const folder = makeFolder(afterAll);
const db = join(folder, 'memories.sqlite');

test(`kill -9 at ${kills} different moments of an import stores all or nothing, and keeps what was there`, async () => {
  await end(startImport('user_before', lines(50, 'before')));
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
  expect(outcomes.filter((stored) => stored !== 0 && stored !== killedBatch)).toEqual([]);
  expect(outcomes.filter((stored) => stored === 0).length).toBeGreaterThan(kills / 2);
}, 300_000);

test(`imports a file of ${count} memories in constant memory, and lists them newest first`, async () => {
  const startedAt = performance.now();
  const file = join(folder, 'many.jsonl');
  await pipeline(lines(count, 'many'), createWriteStream(file));
  const child = startImport('user_1', undefined, file);
  await end(child);
  const megabytes = Math.round(Number(readFileSync(join(folder, 'peak-kilobytes'), 'utf8')) / 1024);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${statSync(file).size >> 20} MB with ${count} memories: written and imported in ${seconds} s, with at most ${megabytes} MB`,
  );
  expect(child.exitCode).toBe(0);
  expect(megabytes).toBeLessThan(250);

  const { keyId, key, keyHash } = createApiKey();
  const store = openSqliteStore({ path: db });
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
  await store.close();
  const server = await startServe(['--db', db, '--media-dir', folder]);
  try {
    const { memories, idleMegabytes, peakMegabytes } = await listBesideSlowReader(server, key);
    const above = peakMegabytes - idleMegabytes;
    console.log(`SQLite, one whole list and one of a slow reader: ${above} MB above idle (${idleMegabytes} MB)`);
    expect(above).toBeLessThan(64);
    const starts = memories.map(({ started_at }) => started_at);
    expect(memories).toHaveLength(count);
    expect(starts).toEqual(starts.toSorted().reverse());
  } finally {
    await server.close();
  }
}, 300_000);

function* lines(total: number, prefix: string): Generator<string> {
  for (const record of manyRecords(total, prefix)) yield `${JSON.stringify(record)}\n`;
}

function startImport(
  userId: string,
  input: Iterable<string> | AsyncIterable<string> | undefined,
  file = '-',
): ChildProcess {
  const main = join(root, 'packages', 'cli', 'dist', 'main.js');
  const args = ['--import', notePeakMemory, main, 'import', file, '--account', userId, '--db', db];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: [input ? 'pipe' : 'ignore', 'ignore', 'inherit'] });
  if (input && child.stdin) pipeline(input, child.stdin).catch(() => {});
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** An import that has received some lines and waits for more. */
async function untilFed(userId: string, total: number): Promise<ChildProcess> {
  const fed = Promise.withResolvers<void>();
  async function* some() {
    yield* lines(total, userId);
    fed.resolve();
    await new Promise(() => {});
  }
  const child = startImport(userId, some());
  await fed.promise;
  return child;
}

/** Waits until the transaction of an import has written this much, or has ended. */
async function untilWritten(userId: string, bytes: number): Promise<ChildProcess> {
  const child = startImport(userId, lines(killedBatch, userId));
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
