import type { MemoryRecord } from '@memory-read/contract';
import type { MemoryStore } from '@memory-read/server';
import { createPostgresStore, migratePostgresStore } from '@memory-read/server/postgres';
import { listAll } from '@memory-read/test-kit/memory-service';
import { createTestSchema, type TestSchema } from '@memory-read/test-kit/postgres/test-schema';
import { sampleRecord, sampleRecords } from '@memory-read/test-kit/sample-memory';
import { beforeEach, expect, test } from 'vitest';
import { hold, untilWaiting } from './lock-waits.ts';

let schema: TestSchema;

beforeEach(async () => {
  schema = await createTestSchema();
  await migratePostgresStore({ pool: schema.createPool() });
  await openStore().putAccount({ userId: 'ada' });
});

test('two processes that write the same memories in opposite orders do not block each other', async () => {
  const pool = schema.createPool();
  const batch = (name: string) => ['a', 'm', 'z'].map((id) => sampleRecord({ id, name }));
  await openStore().putMemories('ada', batch('old'));
  const unlock = await hold(pool, `SELECT id FROM memories WHERE id = 'm' FOR UPDATE`);
  const writing = [batch('first'), batch('second').reverse()].map((records) => openStore().putMemories('ada', records));
  await untilWaiting(schema, pool, 2);
  await unlock();
  expect(await Promise.all(writing)).toEqual([3, 3]);
  expect(new Set(await listNames(openStore())).size).toBe(1);
});

test('two processes count every move', async () => {
  const stores = [openStore(), openStore()];
  await stores[0]?.putMemories('ada', sampleRecords(20));
  const moves = Array.from(sampleRecords(20), (record, index) =>
    stores[index % 2]?.putMemories('ada', [{ ...record, started_at: '2020-01-01T00:00:00Z' }]),
  );
  await Promise.all(moves);
  const { rows } = await schema.createPool().query('SELECT move_count FROM accounts');
  expect(rows).toEqual([{ move_count: '20' }]);
});

test('a move back to an earlier start counts, and a memory that stays in its position does not', async () => {
  const years = ['2020', '2021', '2020', '2020', '2022', '2022'];
  const counts: unknown[] = [];
  for (const year of years) {
    await openStore().putMemories('ada', [sampleRecord({ id: 'one', started_at: `${year}-01-01T00:00:00Z` })]);
    counts.push((await schema.createPool().query('SELECT move_count FROM accounts')).rows[0]?.move_count);
  }
  expect(counts).toEqual(['0', '1', '2', '2', '3', '3']);
});

test('a memory that another process adds with another start while a batch waits for it counts as moved', async () => {
  const pool = schema.createPool();
  const added = `INSERT INTO memories SELECT 'one', 'ada', '2020-01-01T00:00:00.000Z', '', false, '{}'`;
  const commit = await hold(pool, added);
  const putting = openStore().putMemories('ada', [sampleRecord({ id: 'one' })]);
  await untilWaiting(schema, pool);
  await commit();
  await putting;
  expect((await pool.query('SELECT move_count FROM accounts')).rows).toEqual([{ move_count: '1' }]);
});

test('of two batches that wait for each other, one is stored and one is not', async () => {
  const arrived = Promise.withResolvers<void>();
  let isFirst = true;
  async function* crossing(own: string, others: string) {
    yield* page(own);
    yield sampleRecord({ id: `${own} is stored` });
    // Both processes write their own page before either writes the page of the other one.
    if (!isFirst) arrived.resolve();
    isFirst = false;
    await arrived.promise;
    yield* page(others);
  }
  const results = await Promise.allSettled([
    openStore().putMemories('ada', crossing('a', 'b')),
    openStore().putMemories('ada', crossing('b', 'a')),
  ]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [rejected] = results.filter((result) => result.status === 'rejected');
  expect(rejected?.reason).toMatchObject({ name: 'PostgresStoreError', code: 'conflict' });
  const names = await listNames(openStore());
  expect(names).toHaveLength(201);
  expect(names.filter((name) => name.endsWith('is stored'))).toHaveLength(1);
});

test('a connection that is killed between two records of a batch stores nothing of it, and the store continues to work', async () => {
  const pool = schema.createPool();
  const store = createPostgresStore({ pool });
  await store.putMemories('ada', [sampleRecord({ id: 'own', name: 'Old' })]);
  const killOpenTransactions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = $1 AND state = 'idle in transaction'`;
  async function* records() {
    yield sampleRecord({ id: 'own', name: 'New' });
    yield* sampleRecords(250);
    await pool.query(killOpenTransactions, [schema.name]);
    yield* sampleRecords(250);
  }
  const lost = { name: 'PostgresStoreError', code: 'unreachable' };
  await expect(store.putMemories('ada', records())).rejects.toMatchObject(lost);
  expect(await listNames(store)).toEqual(['Old']);
  await store.putMemories('ada', [sampleRecord({ id: 'later' })]);
  expect(await listNames(store)).toHaveLength(2);
});

test.each([0, -1, 1.5, Number.NaN, Infinity])('rejects a statement timeout of %s', (statementTimeout) => {
  const pool = schema.createPool();
  expect(() => createPostgresStore({ pool, statementTimeout })).toThrow(RangeError);
});

function openStore() {
  return createPostgresStore({ pool: schema.createPool() });
}

/** The number of memories in one statement. */
function page(letter: string): MemoryRecord[] {
  return Array.from({ length: 100 }, (_, index) => sampleRecord({ id: `${letter}${String(index).padStart(3, '0')}` }));
}

async function listNames(store: MemoryStore): Promise<string[]> {
  return (await listAll(store)).map(({ name }) => name);
}
