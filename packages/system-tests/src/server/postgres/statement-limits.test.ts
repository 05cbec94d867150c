import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { createTestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { lockTables } from './lock-waits.ts';

// PostgreSQL enforces the first limit. The driver enforces the second one, which also works with connection poolers.
test.each([{ statement_timeout: 1_000 }, { query_timeout: 1_000 }])(
  'no call waits longer than %j of the pool, and a batch no longer than its own limit',
  async (limit) => {
    const schema = await createTestSchema();
    // The limits do not apply to the preparation, which can be slow on a busy machine.
    const unlimited = schema.createPool();
    await migratePostgresStore({ pool: unlimited });
    await createPostgresStore({ pool: unlimited }).putAccount({ userId: 'ada' });
    const pool = schema.createPool({ ...limit, max: 20 });
    const store = createPostgresStore({ pool, statementTimeout: 1_000 });
    const unlock = await lockTables(unlimited, ['memories', 'accounts', 'api_keys', 'memory_read_versions']);
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
    const tooSlow = { name: 'PostgresStoreError', code: 'timeout' };
    await Promise.all(calls.map((call) => expect(call(), String(call)).rejects.toMatchObject(tooSlow)));
    await unlock();
    expect(await store.findAccount('ada')).toEqual({ userId: 'ada', name: null });
    expect([pool.totalCount - pool.idleCount, pool.waitingCount]).toEqual([0, 0]);
  },
);
