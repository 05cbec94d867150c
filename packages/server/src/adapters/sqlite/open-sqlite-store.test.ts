import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '../../testing/index.ts';
import { expectFullList, listIds } from '../../testing/listing-rules.ts';
import { createManyRecords, createRecord } from '../../testing/test-records.ts';
import { memorySql, pageSql } from './sqlite-memory-reader.ts';
import { openTemporaryStore, temporaryStoreFile } from './temporary-store-file.test-support.ts';

let path: string;

beforeEach(() => {
  path = temporaryStoreFile();
});

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(createHarness)) test(title, run);
}

test('a reopened file contains what was stored', async () => {
  const first = await createHarness();
  await first.seed('ada', createManyRecords(300));
  await first.store.putApiKey({ keyId: 'one', keyHash: 'a'.repeat(64), userId: 'ada' });
  await first.close();

  const second = openTemporaryStore(path);
  expectFullList(
    await listIds(second),
    createManyRecords(300).map(({ id }) => id),
  );
  expect(await second.findApiKey('a'.repeat(64))).toMatchObject({ keyId: 'one', active: true });
});

test('a slow source of records and a reader that has stopped block no others', async () => {
  const { store, seed } = await createHarness();
  await seed('ada', createManyRecords(500));
  const reading = store.listMemories({ userId: 'ada' })[Symbol.asyncIterator]();
  await reading.next();
  const other = openTemporaryStore(path);
  async function* records() {
    yield createRecord({ id: 'a' });
    await other.putMemories('ada', [createRecord({ id: 'b' })]);
    await store.putAccount({ userId: 'grace' });
  }
  await store.putMemories('ada', records());
  expect(await listIds(other)).toHaveLength(502);
  await reading.return?.();
});

test('the code of an error says why a value was rejected', async () => {
  const { store, seed } = await createHarness();
  await seed('ada', [createRecord({ id: 'one' })]);
  await seed('grace', []);
  const key = { keyId: 'one', keyHash: 'a'.repeat(64), userId: 'ada' };
  await store.putApiKey(key);
  const refused = { name: 'MemoryStoreError' };
  const taken = store.putMemories('grace', [createRecord({ id: 'one' })]);
  await expect(taken).rejects.toMatchObject({ ...refused, code: 'id_taken' });
  const unknown = store.putApiKey({ ...key, userId: 'nobody' });
  await expect(unknown).rejects.toMatchObject({ ...refused, code: 'unknown_account' });
  const keyTaken = store.putApiKey({ ...key, keyId: 'two' });
  await expect(keyTaken).rejects.toMatchObject({ ...refused, code: 'invalid_api_key' });
});

test.each([
  [
    'a page of a list from its index, without sorting or scanning',
    pageSql,
    [':', '', 'ada', 1],
    'SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (user_id=?)',
    'SEARCH memories USING INDEX memories_newest_first (user_id=? AND (started_at,id)<(?,?)) LEFT-JOIN',
  ],
  [
    'a memory by one seek of the index that holds its owner',
    memorySql,
    ['one', 'ada'],
    'SEARCH memories USING INDEX memories_by_owner (id=? AND user_id=?)',
  ],
])('reads %s', async (_, sql, values, ...steps) => {
  await createHarness();
  const database = new DatabaseSync(path);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  expect(plan.map(({ detail }) => detail)).toEqual(steps);
  database.close();
});

test('a closed store rejects calls, closing it again does nothing, and no log file remains', async () => {
  const { store, seed, close } = await createHarness();
  await seed('ada', [createRecord({ id: 'one' })]);
  await close();
  await close();
  const closed = { name: 'SqliteStoreError', code: 'closed' };
  await expect(store.getMemory({ userId: 'ada', memoryId: 'one' })).rejects.toMatchObject(closed);
  await expect(listIds(store)).rejects.toMatchObject(closed);
  await expect(store.putMemories('ada', [])).rejects.toMatchObject(closed);
  expect(readdirSync(dirname(path))).toEqual(['store.sqlite']);
});

test('a store that is closed during a batch stores nothing of it', async () => {
  const { store, seed, close } = await createHarness();
  await seed('ada', []);
  async function* records() {
    yield createRecord({ id: 'one' });
    await close();
  }
  await expect(store.putMemories('ada', records())).rejects.toMatchObject({ code: 'closed' });
  const again = openTemporaryStore(path);
  expect(await listIds(again)).toEqual([]);
});

async function createHarness() {
  const store = openTemporaryStore(path);
  return toStoreHarness(store, () => store.close());
}
