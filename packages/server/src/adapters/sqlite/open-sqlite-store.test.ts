import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '../../testing/index.ts';
import { expectFullList, listIds } from '../../testing/listing-rules.ts';
import { createManyRecords, createRecord } from '../../testing/test-records.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { memorySql, pageSql } from './sqlite-memory-reader.ts';
import { createTemporaryStoreFile } from './temporary-store-file.test-support.ts';

let directory: string;
let path: string;

beforeEach(() => {
  const file = createTemporaryStoreFile();
  ({ directory, path } = file);
  return file.remove;
});

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(createHarness)) test(title, run);
}

test('a reopened file contains what was stored', async () => {
  const first = await createHarness();
  await first.seed('ada', createManyRecords(300));
  await first.store.putApiKey({ keyId: 'one', keyHash: 'a'.repeat(64), userId: 'ada' });
  await first.close();

  const second = openSqliteStore({ path });
  expectFullList(
    await listIds(second),
    createManyRecords(300).map(({ id }) => id),
  );
  expect(await second.findApiKey('a'.repeat(64))).toMatchObject({ keyId: 'one', active: true });
  await second.close();
});

test('a second connection reads the old memories until a batch is complete', async () => {
  const writer = await createHarness();
  await writer.seed('ada', [createRecord({ id: 'old' })]);
  const reader = openSqliteStore({ path });
  const seen: string[][] = [];
  async function* records() {
    yield* createManyRecords(500);
    seen.push(await listIds(reader));
  }
  await writer.store.putMemories('ada', records());
  expect(seen).toEqual([['old']]);
  expect(await listIds(reader)).toHaveLength(501);
  await reader.close();
  await writer.close();
});

test('a slow source of records and a reader that has stopped block no others', async () => {
  const { store, seed, close } = await createHarness();
  await seed('ada', createManyRecords(500));
  const reading = store.listMemories({ userId: 'ada' })[Symbol.asyncIterator]();
  await reading.next();
  const other = openSqliteStore({ path });
  async function* records() {
    yield createRecord({ id: 'a' });
    await other.putMemories('ada', [createRecord({ id: 'b' })]);
    await store.putAccount({ userId: 'grace' });
  }
  await store.putMemories('ada', records());
  expect(await listIds(other)).toHaveLength(502);
  await other.close();
  await reading.return?.();
  await close();
});

test('the code of an error says why a value was rejected', async () => {
  const { store, seed, close } = await createHarness();
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
  await close();
});

test('reads a page of a list from its index, without sorting or scanning', async () => {
  const { close } = await createHarness();
  const database = new DatabaseSync(path);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${pageSql}`).all(':', '', 'ada', 1);
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH accounts USING INDEX sqlite_autoindex_accounts_1 (user_id=?)',
    'SEARCH memories USING INDEX memories_newest_first (user_id=? AND (started_at,id)<(?,?)) LEFT-JOIN',
  ]);
  database.close();
  await close();
});

test('reads a memory by one seek of the index that holds its owner', async () => {
  const { close } = await createHarness();
  const database = new DatabaseSync(path);
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${memorySql}`).all('one', 'ada');
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH memories USING INDEX memories_by_owner (id=? AND user_id=?)',
  ]);
  database.close();
  await close();
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
  expect(readdirSync(directory)).toEqual(['store.sqlite']);
});

test('a store that is closed during a batch stores nothing of it', async () => {
  const { store, seed, close } = await createHarness();
  await seed('ada', []);
  async function* records() {
    yield createRecord({ id: 'one' });
    await close();
  }
  await expect(store.putMemories('ada', records())).rejects.toMatchObject({ code: 'closed' });
  const again = openSqliteStore({ path });
  expect(await listIds(again)).toEqual([]);
  await again.close();
});

async function createHarness() {
  const store = openSqliteStore({ path });
  return toStoreHarness(store, () => store.close());
}
