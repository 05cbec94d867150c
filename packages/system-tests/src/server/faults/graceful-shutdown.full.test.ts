import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount } from '@memory-read/test-kit/memory-service';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { begin } from '../serving/begin.ts';
import { type ServeProcess, startServe } from '../serving/start-serve.ts';
import { accepts } from '../start-daemon.ts';
import { startLoad } from './load.ts';
import { statuses } from './outcomes.ts';

const boundMs = 10_000;
const toleranceMs = 5_000;
/** With 8 kB for each memory, the list is larger than the buffers of two sockets, and stays in flight until it is read. */
const listLength = 2_000;
let server: ServeProcess;
let key: string;

beforeEach(async () => {
  const folder = makeFolder();
  const db = join(folder, 'memories.sqlite');
  const store = openSqliteStore({ path: db });
  const name = 'x'.repeat(8_000);
  const records = Array.from({ length: listLength }, (_, index) => sampleRecord({ id: `mem_${index}`, name }));
  ({ key } = await addAccount(store, 'ada', records));
  await store.close();
  server = await startServe(['--db', db, '--media-dir', folder]);
  return server.close;
});

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)(
  'completes lists in flight on %s under load, refuses new connections, and ends with %i',
  async (signal, exitCode) => {
    const load = startLoad(6, () =>
      fetch(`${server.baseUrl}/v1/memories/mem_1`, { headers: { 'x-api-key': key, connection: 'close' } }),
    );
    const begun = await Promise.all(Array.from({ length: 4 }, beginList));
    await load.ended(30);
    server.child.kill(signal);
    const signalledAt = performance.now();
    while (await accepts(Number(new URL(server.baseUrl).port))) await setTimeout(10);
    await load.stop();
    expect(server.child.exitCode, 'it waits for those who read slowly').toBeNull();
    for (const ids of await Promise.all(begun.map(idsOf))) expect(new Set(ids).size).toBe(listLength);
    expect(await server.ended).toBe(exitCode);
    expect(performance.now() - signalledAt).toBeLessThan(boundMs);
    expect(statuses(load.outcomes).filter((status) => status !== 'broken')).toEqual(['200']);
  },
);

test('cuts off a stalled reader after ten seconds, shows that its list is incomplete, and ends with 0', async () => {
  const stalled = await beginList();
  server.child.kill('SIGTERM');
  const signalledAt = performance.now();
  expect(await server.ended).toBe(0);
  const elapsed = performance.now() - signalledAt;
  expect(elapsed).toBeGreaterThan(boundMs - 500);
  expect(elapsed).toBeLessThan(boundMs + toleranceMs);
  await expect(idsOf(stalled)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

function beginList(): Promise<IncomingMessage> {
  return begin(`${server.baseUrl}/v1/memories`, key);
}

/** Reads a list to its end. Rejects if the list is cut off. */
async function idsOf(response: IncomingMessage): Promise<string[]> {
  return ((await json(response)) as { id: string }[]).map(({ id }) => id);
}
