import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { lockTables } from './lock-waits.ts';
import { type ServedStore, serveStore } from './served-store.ts';

const tables = ['memories', 'accounts', 'api_keys', 'memory_read_versions'];
const tooSlow = { name: 'PostgresStoreError', code: 'timeout' };
// PostgreSQL enforces the first limit. The driver enforces the second one, which also works with connection poolers.
const limits = [{ statement_timeout: 1_000 }, { query_timeout: 1_000 }];
let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
});

test.each(limits)(
  'requests that wait longer than %j of the pool are 500s, and the next ones are not',
  async (limit) => {
    const served = await start(limit);
    await createPostgresStore({ pool: schema.createPool() }).putMemories('ada', [sampleRecord({ id: 'one' })]);
    const unlock = await lockTables(schema.createPool(), tables);
    const failed = [500, '{"detail":"Internal server error"}'];
    expect(await askAll(served)).toEqual([failed, failed]);
    expect(served.errors).toMatchObject([tooSlow, tooSlow]);
    await unlock();
    expect(await askAll(served)).toMatchObject([
      [200, expect.any(String)],
      [200, expect.any(String)],
    ]);
    expectAllReturned(served);
  },
);

test.each(limits)(
  'no call waits longer than %j of the pool, and a batch no longer than its own limit',
  async (limit) => {
    const served = await start(limit);
    const { store, pool } = served;
    const unlock = await lockTables(schema.createPool(), tables);
    const calls = [
      () => migratePostgresStore({ pool }),
      () => store.putAccount({ userId: 'grace' }),
      () => store.findAccount('ada'),
      () => store.putMemories('ada', [sampleRecord({ id: 'one' })]),
      () => store.finishProcessing('ada', 'one', { transcript: null, summary: null }),
      () => store.deleteMemory('ada', 'one'),
      () => store.listMemories({ userId: 'ada' })[Symbol.asyncIterator]().next(),
      () => store.getMemory({ userId: 'ada', memoryId: 'one' }),
      () => store.putApiKey({ keyId: 'key', keyHash: 'a'.repeat(64), userId: 'ada' }),
      () => store.findApiKey('a'.repeat(64)),
      () => store.revokeApiKey('key'),
      () => store.listApiKeys(),
      () => store.listApiKeys('ada'),
    ];
    await Promise.all(calls.map((call) => expect(call(), String(call)).rejects.toMatchObject(tooSlow)));
    await unlock();
    expect(await store.findAccount('ada')).toEqual({ userId: 'ada', name: null });
    expectAllReturned(served);
  },
);

function start(limit: (typeof limits)[number]): Promise<ServedStore> {
  return serveStore(schema, { pool: { ...limit, max: 20 }, statementTimeout: 1_000 });
}

function askAll({ server }: ServedStore): Promise<[status: number, body: string][]> {
  const ask = async (path: string): Promise<[number, string]> => {
    const response = await fetch(server.url + path, { headers: { 'x-api-key': 'key' } });
    return [response.status, await response.text()];
  };
  return Promise.all(['/v1/memories', '/v1/memories/one'].map(ask));
}

function expectAllReturned({ pool }: ServedStore): void {
  expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
}
