import type { MemoryRecord } from '@memory-read/contract';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { MemoryStoreAdmin } from '../ports/memory-store-admin.ts';
import { expectEqual, expectRejection } from './expectations.ts';
import { expectFullList, listIds } from './listing-rules.ts';
import type { StoreRules } from './store-case.ts';
import { createManyRecords, createRecord, expectedDetail, readable } from './test-records.ts';

export type WritableStore = MemoryStore & MemoryStoreAdmin;

export const puttingRules: StoreRules<WritableStore> = {
  async 'puts arrays, generators and asynchronous generators, and tells how many records'({ store, seed }) {
    await seed('ada', []);
    expectEqual(await store.putMemories('ada', []), 0, 'An empty batch is not counted as 0');
    expectEqual(await store.putMemories('ada', [createRecord({ id: 'a' })]), 1, 'An array of 1 is not counted as 1');
    expectEqual(
      await store.putMemories('ada', createManyRecords(3).values()),
      3,
      'An iterator of 3 is not counted as 3',
    );
    const streamed = stream([createRecord({ id: 'b' }), createRecord({ id: 'c' })]);
    expectEqual(await store.putMemories('ada', streamed), 2, 'An asynchronous generator of 2 is not counted as 2');
    expectEqual((await listIds(store)).length, 6, 'What was put is not what is listed');
  },

  async 'replaces all of a memory that the account already has'({ store, seed }) {
    const media = { audio: { object_key: 'a', content_type: 'audio/wav' } };
    await seed('ada', [createRecord({ id: 'one', media }), createRecord({ id: 'two' })]);
    const replacement = createRecord({
      ...{ id: 'one', name: 'New', started_at: '2020-01-01T00:00:00Z', ended_at: '2020-01-01T01:00:00Z' },
      ...{ is_processing: true, duration_seconds: 3600, transcript: null, summary: null },
    });
    await store.putMemories('ada', [replacement]);
    const memory = await store.getMemory({ userId: 'ada', memoryId: 'one' });
    expectEqual(memory && readable(memory), expectedDetail('ada', replacement), 'A memory is not replaced as a whole');
    expectEqual(await listIds(store), ['two', 'one'], 'A replaced memory is not listed once, in its new place');
  },

  async 'counts the last of several records with one id'({ store, seed }) {
    await seed('ada', []);
    const names = ['first', 'second', 'third'];
    const records = names.map((name, index) =>
      createRecord({ id: 'one', name, started_at: `2026-01-0${3 - index}T00:00` }),
    );
    await store.putMemories('ada', [...records, createRecord({ id: 'other' })]);
    expectEqual(await listIds(store), ['other', 'one'], 'Records with one id do not make one memory');
    expectEqual(await nameOf(store, 'one'), 'third', 'Of several records with one id the last does not count');
  },

  async 'refuses an unknown account'({ store }) {
    await expectRejection(store.putMemories('nobody', [createRecord({ id: 'a' })]), 'An unknown account gets memories');
    await expectRejection(store.putMemories('nobody', []), 'An empty batch of an unknown account is accepted');
    expectEqual(await listIds(store, 'nobody'), [], 'A refused batch left memories');
  },

  async 'refuses the id of another account and stores nothing of the batch'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'of ada' })]);
    await seed('grace', [createRecord({ id: 'own', name: 'Old' })]);
    const batch = ['new', 'own', 'of ada', 'late'].map((id) => createRecord({ id, name: 'Of the refused batch' }));
    await expectRejection(store.putMemories('grace', batch), 'The id of another account is accepted');
    expectEqual(await listIds(store, 'grace'), ['own'], 'A part of a refused batch is stored');
    expectEqual(await nameOf(store, 'own', 'grace'), 'Old', 'A refused batch replaced a memory');
    expectEqual(await nameOf(store, 'of ada'), 'Memory of ada', 'The memory of another account is replaced');
  },

  async 'stores nothing of a batch with an invalid record'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'own', name: 'Old' })]);
    const invalid = createRecord({ id: 'invalid', started_at: 'yesterday' });
    const batch = [createRecord({ id: 'a' }), createRecord({ id: 'own', name: 'New' }), invalid];
    const error = await expectRejection(store.putMemories('ada', batch), 'An invalid record is accepted');
    expectEqual((error as Error).name, 'InvalidMemoryRecordError', 'An invalid record is refused with another error');
    expectEqual(await listIds(store), ['own'], 'A part of a batch with an invalid record is stored');
    expectEqual(await nameOf(store, 'own'), 'Old', 'A batch with an invalid record replaced a memory');
  },

  async 'stores nothing when the records end in an error, and works on'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'own', name: 'Old' })]);
    const reason = new Error('The source broke');
    const broken = stream([createRecord({ id: 'own', name: 'New' }), ...createManyRecords(600)], reason);
    const error = await expectRejection(store.putMemories('ada', broken), 'A broken source of records is not noticed');
    expectEqual(error === reason, true, 'A broken source of records does not reject with its own error');
    expectEqual(await listIds(store), ['own'], 'A part of a batch that broke is stored');
    expectEqual(await nameOf(store, 'own'), 'Old', 'A batch that broke replaced a memory');
    await store.putMemories('ada', [createRecord({ id: 'later' })]);
    expectEqual(await listIds(store), ['own', 'later'], 'The store cannot be written after a batch broke');
  },

  async 'shows nothing of a batch before all of it is there'({ store, seed }) {
    await seed('ada', [createRecord({ id: 'own', name: 'Old' })]);
    const seen: unknown[] = [];
    async function* records() {
      yield createRecord({ id: 'own', name: 'New' });
      yield* createManyRecords(600);
      seen.push(await listIds(store), await nameOf(store, 'own'));
    }
    await store.putMemories('ada', records());
    expectEqual(seen, [['own'], 'Old'], 'A reader sees a batch before all of it is there');
    expectEqual((await listIds(store)).length, 601, 'A batch of 600 is not stored as a whole');
  },

  async 'puts several batches at once, each as a whole'({ store, seed }) {
    await seed('ada', []);
    await seed('grace', []);
    const batches = ['a', 'b', 'c'].map((letter) =>
      [1, 2, 3].map((index) => createRecord({ id: `${letter}${index}` })),
    );
    await Promise.all(batches.map((batch) => store.putMemories('ada', stream(batch))));
    expectEqual((await listIds(store)).length, 9, 'Batches put at once are not all stored');

    const race = ['ada', 'grace'].map((userId) =>
      store.putMemories(userId, stream([createRecord({ id: `only ${userId}` }), createRecord({ id: 'contested' })])),
    );
    const statuses = (await Promise.allSettled(race)).map(({ status }) => status);
    expectEqual(statuses.sort(), ['fulfilled', 'rejected'], 'Two accounts that put one id at once do not get it once');
    const owned = [...(await listIds(store)), ...(await listIds(store, 'grace'))].filter((id) =>
      /contested|only/.test(id),
    );
    expectEqual(owned.length, 2, 'A batch that lost the race for an id is stored in part');
  },

  async 'keeps a listing in order while memories are put'({ store, seed }) {
    const records = createManyRecords(1_500);
    await seed('ada', records);
    const listed: string[] = [];
    for await (const { id } of store.listMemories({ userId: 'ada' })) {
      if (listed.length === 0) await store.putMemories('ada', [...createNewcomers(), ...renamed(records)]);
      listed.push(id);
    }
    const expected = records.map(({ id }) => id);
    expectFullList(
      listed.filter((id) => !id.startsWith('newcomer')),
      expected,
    );
  },

  async 'lists all or rejects while a memory further on gets a start before the reader'({ store, seed }) {
    const records = createManyRecords();
    await seed('ada', records);
    await expectWholeOrRejected(store, { ...records[2_400], started_at: '2030-01-01T00:00:00Z' } as MemoryRecord);
  },

  async 'lists nothing twice or rejects while a memory already listed gets a start further on'({ store, seed }) {
    const records = createManyRecords();
    await seed('ada', records);
    await expectWholeOrRejected(store, { ...records[0], started_at: '2000-01-01T00:00:00Z' } as MemoryRecord);
  },
};

/** Stores the record after the first memory of a list. The list may fail, but must not look complete if it is not. */
async function expectWholeOrRejected(store: WritableStore, moved: MemoryRecord): Promise<void> {
  const expected = (await listIds(store)).sort();
  const listed: string[] = [];
  let isRejected = false;
  try {
    for await (const { id } of store.listMemories({ userId: 'ada' })) {
      listed.push(id);
      if (listed.length === 1) await store.putMemories('ada', [moved]);
    }
  } catch {
    isRejected = true;
  }
  if (!isRejected) expectFullList(listed.sort(), expected);
  expectFullList((await listIds(store)).sort(), expected);
}

/** Returns the same memories in the same order, renamed. */
function renamed(records: readonly MemoryRecord[]): MemoryRecord[] {
  return records.map((record) => ({ ...record, name: 'Renamed' }));
}

/** Returns records before, between and after those of {@link createManyRecords}. */
function createNewcomers(): MemoryRecord[] {
  const starts = ['2030-01-01T00:00:00Z', '2026-02-28T23:30:00.001Z', '2000-01-01T00:00:00Z'];
  return starts.map((started_at, index) => createRecord({ id: `newcomer ${index}`, started_at }));
}

/** Yields each record in a turn of the event loop of its own, and then throws the error. */
async function* stream(records: Iterable<MemoryRecord>, error?: Error): AsyncGenerator<MemoryRecord> {
  for (const record of records) {
    await Promise.resolve();
    yield record;
  }
  if (error) throw error;
}

async function nameOf(store: MemoryStore, memoryId: string, userId = 'ada'): Promise<string | undefined> {
  return (await store.getMemory({ userId, memoryId }))?.name;
}
