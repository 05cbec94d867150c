import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import { listIds } from '../../testing/listing-rules.ts';
import { createManyRecords, createRecord } from '../../testing/test-records.ts';
import { openSqliteStore, type SqliteStore } from './open-sqlite-store.ts';
import { temporaryStoreFile } from './temporary-store-file.test-support.ts';

const key = { keyId: 'key', keyHash: 'a'.repeat(64), userId: 'ada' };

let path: string;
let store: SqliteStore;
let other: DatabaseSync;

beforeEach(async () => {
  path = temporaryStoreFile();
  store = openSqliteStore({ path });
  await store.putAccount({ userId: 'ada' });
  await store.putMemories('ada', [createRecord({ id: 'one', is_processing: true, transcript: null, summary: null })]);
  await store.putApiKey(key);
  other = new DatabaseSync(path);
  return async () => {
    vi.useRealTimers();
    other.close();
    await store.close();
  };
});

const writes: Record<string, () => Promise<unknown>> = {
  putAccount: () => store.putAccount({ userId: 'ada', name: 'Ada' }),
  putMemories: () => store.putMemories('ada', createManyRecords(250)),
  finishProcessing: () => store.finishProcessing('ada', 'one', { transcript: null, summary: null }),
  deleteMemory: () => store.deleteMemory('ada', 'one'),
  putApiKey: () => store.putApiKey({ ...key, label: 'laptop' }),
  revokeApiKey: () => store.revokeApiKey('key'),
};

/** Everything that the writes above change. */
async function readAll(): Promise<unknown> {
  store.checkSchema();
  return {
    account: await store.findAccount('ada'),
    ids: await listIds(store),
    one: await store.getMemory({ userId: 'ada', memoryId: 'one' }),
    key: await store.findApiKey(key.keyHash),
    keys: await store.listApiKeys('ada'),
  };
}

test.each(Object.entries(writes))('reads and timers run while %s waits for another process', async (_, write) => {
  const before = await readAll();
  other.exec('BEGIN IMMEDIATE');
  const order: string[] = [];
  const writing = write().then(() => order.push('written'));
  await new Promise((resolve) => setTimeout(resolve, 1));
  order.push('timer');
  expect(await readAll()).toEqual(before);
  order.push('read');
  other.exec('COMMIT');
  await writing;
  expect(order).toEqual(['timer', 'read', 'written']);
  expect(await readAll()).not.toEqual(before);
});

test('while a batch is stored, reads run and see none of it, and other writes wait', async () => {
  const records = createManyRecords(20_000);
  const seen: number[] = [];
  const writing = store.putMemories('ada', records);
  while (!isLocked()) await setImmediate();
  const deleting = store.deleteMemory('ada', records.at(-1)?.id ?? '');
  while (isLocked()) {
    seen.push((await listIds(store)).length);
    await setImmediate();
  }
  expect(await Promise.all([writing, deleting])).toEqual([20_000, true]);
  expect(seen.length).toBeGreaterThan(1);
  expect(new Set(seen.slice(0, -1))).toEqual(new Set([1]));
  expect(await listIds(store)).toHaveLength(20_000);
});

test('a record of another account in the last portion stores none of the others', async () => {
  await store.putAccount({ userId: 'grace' });
  const records = [...createManyRecords(350), createRecord({ id: 'one' })];
  await expect(store.putMemories('grace', records)).rejects.toMatchObject({ code: 'id_taken' });
  expect(await listIds(store, 'grace')).toEqual([]);
  expect(await store.putMemories('grace', records.slice(0, -1))).toBe(350);
});

function isLocked(): boolean {
  try {
    other.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch {
    return true;
  }
}
