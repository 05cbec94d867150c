import { once } from 'node:events';
import { get } from 'node:http';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord, sampleRecords } from '@memory-read/test-kit/sample-memory';
import type { Pool } from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { begin } from '../serving/begin.ts';
import { lockTables, untilWaiting } from './lock-waits.ts';
import { type ServedStore, serveStore } from './served-store.ts';

let schema: TestSchema;
let other: Pool;

beforeEach(async () => {
  schema = await createTestSchema();
  other = schema.createPool();
});

test('sends the beginning of a list before its last memory is read', async () => {
  const { beforePage, unlock } = lockBeforePage(2);
  const served = await serveStore(schema, { beforePage });
  await served.store.putMemories('ada', sampleRecords(500));
  const response = await begin(`${served.server.url}/v1/memories`, 'key');
  let text = '';
  response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  while (!text.includes('mem_000500')) await once(response, 'data');
  await untilWaiting(schema, other);
  expect(served.pages()).toBe(2);
  expect(text).not.toContain('mem_000001');
  await unlock();
  await once(response, 'end');
  const listed: { id: string }[] = JSON.parse(text);
  expect(listed.map(({ id }) => id)).toEqual(Array.from(sampleRecords(500), ({ id }) => id));
});

test('a client that stops reading and disconnects stops the list', async () => {
  const served = await serveStore(schema);
  const name = 'x'.repeat(16_000);
  await served.store.putMemories(
    'ada',
    Array.from({ length: 2_000 }, (_, index) => sampleRecord({ id: `mem_${index}`, name })),
  );
  const response = await begin(`${served.server.url}/v1/memories`, 'key');
  await untilNoPageIsRead(served);
  const pages = served.pages();
  expect(pages).toBeLessThan(2_000 / 200);
  response.destroy();
  await served.listEnded;
  expect(served.pages()).toBe(pages);
  await expectNothingHeld(served);
});

test.each([1, 2])('a client that disconnects while page %i is read stops the list after it', async (page) => {
  const { beforePage, unlock } = lockBeforePage(page);
  const served = await serveStore(schema, { beforePage });
  await served.store.putMemories('ada', sampleRecords(600));
  const request = get(`${served.server.url}/v1/memories`, { headers: { 'x-api-key': 'key' }, agent: false });
  request.on('error', () => {}).on('response', (response) => response.on('error', () => {}).resume());
  await untilWaiting(schema, other);
  request.destroy();
  await served.callerLeft;
  await unlock();
  await served.listEnded;
  expect(served.pages()).toBe(page);
  await expectNothingHeld(served);
});

/** Blocks the statement of one page inside PostgreSQL until it is unlocked. */
function lockBeforePage(lockedPage: number) {
  const locked = Promise.withResolvers<() => Promise<void>>();
  return {
    async beforePage(page: number) {
      if (page === lockedPage) locked.resolve(await lockTables(other, ['memories']));
    },
    unlock: async () => (await locked.promise)(),
  };
}

async function untilNoPageIsRead(served: ServedStore): Promise<void> {
  const { pool } = served;
  for (let seen = 0, rounds = 0; rounds < 50; rounds += 1) {
    // However long PostgreSQL takes for a page, it does not count as a pause.
    if (seen !== served.pages() || pool.idleCount < pool.totalCount) rounds = 0;
    seen = served.pages();
    await other.query('SELECT 1');
  }
}

async function expectNothingHeld({ pool, errors }: ServedStore): Promise<void> {
  expect(errors).toEqual([]);
  expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
  const sql = `SELECT query FROM pg_stat_activity WHERE application_name = $1 AND state <> 'idle' AND pid <> pg_backend_pid()`;
  expect((await pool.query(sql, [schema.name])).rows).toEqual([]);
}
