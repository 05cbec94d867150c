import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, test } from 'vitest';
import { listIds } from '../../testing/listing-rules.ts';
import { createRecord } from '../../testing/test-records.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { temporaryStoreFile } from './temporary-store-file.test-support.ts';

const sourceCondition = '--conditions=@memory-read/source';
const modules = JSON.stringify({
  store: new URL('./open-sqlite-store.ts', import.meta.url).href,
  records: new URL('../../testing/test-records.ts', import.meta.url).href,
});

let path: string;

beforeEach(() => {
  path = temporaryStoreFile();
});

test.each([
  [
    'while records arrive',
    `
    async function* killing() {
      yield* records;
      process.kill(process.pid, 'SIGKILL');
    }
    await store.putMemories('ada', killing());`,
  ],
  [
    'just before the commit',
    `
    const { DatabaseSync } = await import('node:sqlite');
    const exec = DatabaseSync.prototype.exec;
    let isWriting = false;
    DatabaseSync.prototype.exec = function (sql) {
      if (isWriting && sql === 'COMMIT') process.kill(process.pid, 'SIGKILL');
      isWriting ||= sql === 'BEGIN IMMEDIATE';
      return exec.call(this, sql);
    };
    await store.putMemories('ada', records);`,
  ],
  [
    'when a part of the records is stored',
    `
    const { StatementSync } = await import('node:sqlite');
    const run = StatementSync.prototype.run;
    let stored = 0;
    StatementSync.prototype.run = function (...values) {
      const result = run.apply(this, values);
      if (this.sourceSQL.startsWith('INSERT INTO memories')) stored += 1;
      if (stored === 3) process.kill(process.pid, 'SIGKILL');
      return result;
    };
    await store.putMemories('ada', records);`,
  ],
])('kill -9 %s does not change the database', async (_, script) => {
  await runUntilKilled(script);
  const store = openSqliteStore({ path });
  expect(await listIds(store)).toEqual(['old']);
  expect(await store.getMemory({ userId: 'ada', memoryId: 'old' })).toMatchObject({ name: 'Old' });
  await store.putMemories('ada', [createRecord({ id: 'later' })]);
  expect(await listIds(store)).toEqual(['old', 'later']);
  await store.close();
  const database = new DatabaseSync(path);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});

test('kill -9 just after a batch loses none of it', async () => {
  await runUntilKilled(`
    await store.putMemories('ada', records);
    process.kill(process.pid, 'SIGKILL');
  `);
  const store = openSqliteStore({ path });
  expect(await listIds(store)).toHaveLength(401);
  await store.close();
});

test('connections that open a new file at the same time all get the store', async () => {
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const workers = [1, 2].map(
    () => new Worker(racingScript, { eval: true, execArgv: [sourceCondition], workerData: turn }),
  );
  for (let round = 1; round <= 60; round += 1) {
    const answers = workers.map((worker) => once(worker, 'message'));
    for (const worker of workers) worker.postMessage({ round, path: `${path}-${round}` });
    expect((await Promise.all(answers)).flat()).toEqual(['opened', 'opened']);
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
});

/** Both workers wait for each other, so that they open the file within microseconds. */
const racingScript = `
  const { parentPort, workerData } = require('node:worker_threads');
  const loading = import(${modules}.store);
  parentPort.on('message', async ({ round, path }) => {
    const { openSqliteStore } = await loading;
    Atomics.add(workerData, 0, 1);
    while (Atomics.load(workerData, 0) < 2 * round);
    try {
      await openSqliteStore({ path }).close();
      parentPort.postMessage('opened');
    } catch (error) {
      parentPort.postMessage(String(error));
    }
  });
`;

/** Stores the memory `old`, and runs the script in its own process, with 400 `records`, which is more than SQLite keeps in memory. */
async function runUntilKilled(script: string): Promise<void> {
  const store = openSqliteStore({ path });
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [createRecord({ id: 'old', name: 'Old' })]);
  await store.close();
  const preparation = `
    const { openSqliteStore } = await import(${modules}.store);
    const { createRecord, createTranscript } = await import(${modules}.records);
    const store = openSqliteStore({ path: process.argv[1] });
    const transcript = createTranscript('long '.repeat(3_000));
    const records = Array.from({ length: 400 }, (_, index) => createRecord({ id: index ? 'new' + index : 'old', transcript }));
    records.push(createRecord({ id: 'last' }));
  `;
  const options = ['--input-type=module', sourceCondition, '--eval', preparation + script, path];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}
