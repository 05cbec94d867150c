import type { MemoryRecord } from '@memory-read/contract';
import { type MemoryField, memoryFields } from '@memory-read/contract/fields';
import { apiKeyAuthenticator, type StoredMemory } from '@memory-read/server';
import { listAll, type WholeStore } from '@memory-read/test-kit/memory-service';
import { beforeEach, expect, test } from 'vitest';
import { account, apiKeys, memories } from './written-content.ts';

/** What was written before a field was added is null. */
const absentFields: object = Object.fromEntries(
  Object.entries<MemoryField>(memoryFields)
    .filter(([, { addedIn }]) => addedIn !== undefined)
    .map(([name]) => [name, null]),
);
const anHourBefore = new Date('2026-05-31T23:00:00.000Z');

/** Tests that all written content is there, and that a store of this version works over a copy of it. */
export function testWrittenContent(open: () => Promise<WholeStore>): void {
  let store: WholeStore;
  beforeEach(async () => {
    store = await open();
  });

  test('lists its memories newest first', async () => {
    const listed = await listAll(store, account.userId);
    expect(listed.map(({ id }) => id)).toEqual(['mem_processing', 'mem_edge_loneSurrogateText', '../a b%2Fc?d#e']);
    expect(listed.map(toRecord)).toEqual(memories.map((memory) => ({ ...absentFields, ...memory, transcript: null })));
  });

  test.each(memories)('has all of $id', async (memory) => {
    const found = await store.getMemory({ userId: account.userId, memoryId: memory.id });
    expect(found && toRecord(found)).toEqual({ ...absentFields, ...memory });
    expect(await store.getMemory({ userId: 'user_2', memoryId: memory.id })).toBeUndefined();
  });

  test('knows its account, and lets its keys in until they are revoked or over', async () => {
    expect(await store.findAccount('user_1')).toEqual(account);
    const statuses = async (now: Date) => {
      const authenticate = apiKeyAuthenticator(store, { clock: { now: () => now } });
      return Promise.all(Object.values(apiKeys).map(async ({ key }) => (await authenticate(key))?.userId));
    };
    expect(await statuses(anHourBefore)).toEqual(['user_1', 'user_1', undefined]);
    expect(await statuses(new Date('2026-06-01T00:00:00.000Z'))).toEqual(['user_1', undefined, undefined]);
    const hashOfActive = 'c7e7facf20740f90b828be732873759674377650c05c80b76eef4cd33494069c';
    expect(await store.findApiKey(hashOfActive)).toMatchObject({ keyId: 'key_active', active: true });
  });

  test('can be written', async () => {
    const [first] = memories as [MemoryRecord];
    await store.putMemories(account.userId, [{ ...first, id: 'mem_new' }]);
    expect(await listAll(store, account.userId)).toHaveLength(memories.length + 1);
  });
}

function toRecord({ user_id: _, summaryJson, transcriptJson, ...memory }: StoredMemory): MemoryRecord {
  return {
    ...memory,
    summary: JSON.parse(summaryJson ?? 'null'),
    transcript: JSON.parse(String(transcriptJson ?? null)),
  };
}
