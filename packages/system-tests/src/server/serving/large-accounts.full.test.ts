import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createApiKey } from '@memory-read/server';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { endOf } from '@memory-read/test-kit/start-process';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { fillPostgres, servePostgres } from '../faults/postgres-service.ts';
import { begin } from './begin.ts';
import { manyRecords, recordLines } from './many-records.ts';
import { megabytesOf, type ServeProcess, spawnCommand, startServe } from './start-serve.ts';

const count = 100_000;
const folder = makeFolder(afterAll);
const db = join(folder, 'memories.sqlite');
const notePeakMemory = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeFileSync } from 'node:fs';
  // maxRSS would begin with the memory of the process that started this one.
  const peak = () => /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
  process.on('exit', () => writeFileSync('peak-kilobytes', peak()));
`)}`;

test(`imports a file of ${count} memories in constant memory`, async () => {
  const startedAt = performance.now();
  const file = join(folder, 'many.jsonl');
  await pipeline(recordLines(count, 'many'), createWriteStream(file));
  const env = { NODE_OPTIONS: `--import=${notePeakMemory}` };
  const args = ['import', file, '--account', 'user_1', '--db', db];
  expect(await endOf(spawnCommand(args, { cwd: folder, env }))).toMatchObject({ code: 0 });
  const megabytes = Math.round(Number(readFileSync(join(folder, 'peak-kilobytes'), 'utf8')) / 1024);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${statSync(file).size >> 20} MB with ${count} memories: written and imported in ${seconds} s, with at most ${megabytes} MB`,
  );
  expect(megabytes).toBeLessThan(250);
}, 300_000);

test.each([
  ['SQLite', serveImported],
  ['PostgreSQL', serveFilled],
])(
  `a list of ${count} memories out of %s, newest first, beside a slow reader, takes less than 64 MB`,
  async (name, serve) => {
    const { server, key } = await serve();
    onTestFinished(server.close);
    await begin(`${server.baseUrl}/v1/memories/unknown`, key);
    const idle = megabytesOf(server, 'VmHWM');
    const slow = await begin(`${server.baseUrl}/v1/memories`, key);
    await once(slow, 'readable');
    const pieces: Buffer[] = [];
    for await (const piece of await begin(`${server.baseUrl}/v1/memories`, key)) {
      pieces.push(piece);
      slow.read(1);
    }
    const above = megabytesOf(server, 'VmHWM') - idle;
    expect(slow.complete, 'the list is longer than the buffers of the sockets').toBe(false);
    slow.destroy();
    console.log(`${name}, one whole list and one of a slow reader: ${above} MB above idle (${idle} MB)`);
    expect(above).toBeLessThan(64);
    const memories: { id: string; started_at: string }[] = JSON.parse(Buffer.concat(pieces).toString());
    expect(new Set(memories.map(({ id }) => id)).size).toBe(count);
    const starts = memories.map(({ started_at }) => started_at);
    expect(starts).toEqual(starts.toSorted().reverse());
  },
  300_000,
);

interface Served {
  server: ServeProcess;
  key: string;
}

/** Serves what the first test has imported. */
async function serveImported(): Promise<Served> {
  const { keyId, key, keyHash } = createApiKey();
  const store = openSqliteStore({ path: db });
  await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
  await store.close();
  return { server: await startServe(['--db', db, '--media-dir', folder]), key };
}

async function serveFilled(): Promise<Served> {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  const startedAt = performance.now();
  const key = await fillPostgres(postgres.url, manyRecords(count, 'many'));
  console.log(`PostgreSQL: ${count} memories stored in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return { server: await servePostgres(postgres.url, folder), key };
}
