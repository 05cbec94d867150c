import { DatabaseSync } from 'node:sqlite';
import type { MemoryRecord } from '@memory-read/contract';
import { expect, test, vi } from 'vitest';
import { createInMemoryStore } from './adapters/in-memory/create-in-memory-store.ts';
import { openTemporaryStore, temporaryStoreFile } from './adapters/sqlite/temporary-store-file.test-support.ts';
import { createMemoryApi } from './create-memory-api.ts';
import type { MemoryStore, StoredMemory } from './ports/memory-store.ts';
import { toStoredMemory } from './records/to-stored-memory.ts';
import { memoryStoreCases, toStoreHarness } from './testing/index.ts';
import { createRecord } from './testing/test-records.ts';

// Simulates a later contract with three more fields, which the server supports without an edit.
vi.mock('@memory-read/contract/fields', async (original) => {
  const fields = await original<typeof import('@memory-read/contract/fields')>();
  const added = { nullable: true, from: 'record', addedIn: '0.2.0' } as const;
  const memoryFields = {
    added_text: { ...added, type: 'string' },
    ...fields.memoryFields,
    added_time: { ...added, type: 'date-time' },
    added_list: { ...added, type: 'string[]' },
  };
  return { ...fields, memoryFields, fieldNames: Object.keys(memoryFields) };
});

const nothing = { added_text: null, added_time: null, added_list: null };
const given = { added_text: 'Kyoto', added_time: '2026-03-01T10:00+01:00', added_list: ['a', 'b'] };
const answered = { ...given, added_time: '2026-03-01T09:00:00.000Z' };

/** The types of the contract do not have these fields. */
interface Added {
  added_text?: unknown;
  added_time?: unknown;
  added_list?: unknown;
}

test.each([
  ['memory', () => createInMemoryStore()],
  ['SQLite', () => openTemporaryStore()],
])('a store in %s keeps added fields, and reads an absent one as null', async (_, open) => {
  const store = open();
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [withFields('with', given), withFields('null', nothing), withFields('without', {})]);
  await store.finishProcessing('ada', 'with', { transcript: null, summary: null });
  expect(await get(store, 'with')).toMatchObject({ ...answered, transcript: null });
  expect(await get(store, 'null')).toMatchObject(nothing);
  expect(await get(store, 'without')).toMatchObject(nothing);
  expect(await list(store)).toMatchObject([nothing, answered, nothing]);
  const names = Object.keys(await get(store, 'with'));
  expect([names.at(0), ...names.slice(-3)]).toEqual(['added_text', 'summary', 'added_time', 'added_list']);
});

test('a row of an older version reads as null', async () => {
  const path = temporaryStoreFile();
  const store = openTemporaryStore(path);
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [withFields('one', given)]);
  const older = new DatabaseSync(path);
  older.exec(
    "UPDATE memories SET record_json = json_remove(record_json, '$.added_text', '$.added_time', '$.added_list')",
  );
  older.close();
  expect(await store.getMemory({ userId: 'ada', memoryId: 'one' })).toMatchObject(nothing);
  expect(await get(store, 'one')).toMatchObject(nothing);
  expect(await list(store)).toMatchObject([nothing]);
});

test('an older row of a custom store gets null in the response', async () => {
  const { added_text, added_time, added_list, ...stored } = toStoredMemory(
    'ada',
    createRecord({ id: 'one' }),
  ) as StoredMemory & Added;
  const store: MemoryStore = {
    getMemory: async () => stored,
    async *listMemories() {
      yield stored;
    },
  };
  expect(await get(store, 'one')).toMatchObject(nothing);
  expect(await list(store)).toMatchObject([nothing]);
});

test('the test cases for stores detect a store that loses an added field', async () => {
  const run = (store: ReturnType<typeof createInMemoryStore>) =>
    memoryStoreCases(async () => toStoreHarness(store))
      .find(({ title }) => title === 'gets a memory with its transcript and summary')
      ?.run();
  await run(createInMemoryStore());
  const right = createInMemoryStore();
  const getMemory: MemoryStore['getMemory'] = async (query) =>
    Object.assign({}, await right.getMemory(query), nothing) as StoredMemory;
  await expect(run({ ...right, getMemory })).rejects.toThrow('not read as it was stored');
});

test.each([
  [{ added_text: 7 }, /: added_text /],
  [{ added_text: 'NUL \0' }, /: added_text contains the character U\+0000/],
  [{ added_time: 'soon' }, /: added_time /],
  [{ added_time: '9999-12-31T23:59:59-01:00' }, /: added_time is .* outside the years 0000 to 9999/],
  [{ added_list: [1] }, /: added_list\[0\] /],
  [{ place: 'Kyoto' }, /: place is an unknown field/],
])('rejects %j by its name', (fields, reason) => {
  expect(() => toStoredMemory('ada', withFields('one', fields))).toThrow(reason);
});

/** Returns a record without the added fields, except the given ones. */
function withFields(id: string, fields: object): MemoryRecord {
  const { added_text, added_time, added_list, ...record } = createRecord({ id }) as MemoryRecord & Added;
  return Object.assign(record, fields);
}

const get = (store: MemoryStore, id: string) => read(store, `/${id}`) as Promise<object>;
const list = (store: MemoryStore) => read(store, '') as Promise<object[]>;

async function read(store: MemoryStore, path: string): Promise<unknown> {
  const mediaSigner = { sign: () => 'https://media.test/' };
  const api = createMemoryApi({ store, authenticate: async () => ({ userId: 'ada' }), mediaSigner });
  const headers = { 'x-api-key': 'key' };
  return (await api.fetch(new Request(`http://localhost/v1/memories${path}`, { headers }))).json();
}
