import { expect, test } from 'vitest';
import { collect } from '../../testing/expectations.ts';
import { listIds } from '../../testing/listing-rules.ts';
import { createManyRecords, createRecord } from '../../testing/test-records.ts';
import { openTemporaryStore, temporaryStoreFile } from './temporary-store-file.test-support.ts';

const records = createManyRecords(420);
const [listed, last] = [records[0]?.id ?? '', records[419]?.id ?? ''];
const [newer, older] = ['2030-01-01T00:00:00Z', '2000-01-01T00:00:00Z'];
const moved = {
  name: 'MemoryStoreError',
  code: 'memories_moved',
  message:
    'Failed to list the memories of account "ada": the start times of some changed during the read, so the list ' +
    'could miss or repeat them. List them again.',
};

test('cuts a list off before the first page that another connection may have changed', async () => {
  for (const record of [
    createRecord({ id: last, started_at: newer }),
    createRecord({ id: listed, started_at: older }),
  ]) {
    const { store, other } = await openTwice();
    const seen: string[] = [];
    const reading = async () => {
      for await (const { id } of store.listMemories({ userId: 'ada' })) {
        seen.push(id);
        if (seen.length === 150) await other.putMemories('ada', [record]);
      }
    };
    await expect(reading()).rejects.toMatchObject(moved);
    expect(seen).toEqual(records.slice(0, 220).map(({ id }) => id));
    expect(await listIds(store)).toHaveLength(420);
  }
});

test('cuts a list off if a memory moves after the last full page', async () => {
  const { store, other } = await openTwice();
  let count = 0;
  const reading = async () => {
    for await (const _ of store.listMemories({ userId: 'ada' })) {
      count += 1;
      if (count === 420) await other.putMemories('ada', [createRecord({ id: listed, started_at: older })]);
    }
  };
  await expect(reading()).rejects.toMatchObject(moved);
});

test('a list continues when another account moves a memory, and when a batch that moves one is rejected', async () => {
  const { store, other } = await openTwice();
  await other.putAccount({ userId: 'grace' });
  await other.putMemories('grace', [createRecord({ id: 'of grace' })]);
  const reading = store.listMemories({ userId: 'ada' })[Symbol.asyncIterator]();
  await reading.next();
  await other.putMemories('grace', [createRecord({ id: 'of grace', started_at: older })]);
  const refused = [createRecord({ id: last, started_at: newer }), createRecord({ id: 'of grace' })];
  await expect(other.putMemories('ada', refused)).rejects.toMatchObject({ code: 'id_taken' });
  const rest = await collect({ [Symbol.asyncIterator]: () => reading });
  expect(rest).toHaveLength(419);
});

/** Two connections to one file with 420 memories of ada: a first page of 20, and two full pages. */
async function openTwice() {
  const path = temporaryStoreFile();
  const [store, other] = [openTemporaryStore(path), openTemporaryStore(path)];
  await other.putAccount({ userId: 'ada' });
  await other.putMemories('ada', records);
  return { store, other };
}
