import type { MemoryRecord } from '@memory-read/contract';
import { expect, test } from 'vitest';
import { createInMemoryStore } from '../adapters/in-memory/create-in-memory-store.ts';
import type { MemoryStore, StoredMemory } from '../ports/memory-store.ts';
import { collect } from './expectations.ts';
import type { CreateStore, StoreCase } from './store-case.ts';
import { toStoreHarness } from './to-store-harness.ts';

type Store = ReturnType<typeof createInMemoryStore>;

/** One mistake of a store, and the cases that must detect it. */
export interface Mistake {
  make(right: Store): Partial<Store>;
  noticedBy: string[];
}

/** Declares a test for each mistake: the cases fail over a store that makes it. */
export function testMistakes(
  mistakes: Record<string, Mistake>,
  toCases: (create: CreateStore<Store>) => StoreCase[],
): void {
  test.each(Object.entries(mistakes))('the suite notices %s', async (_, { make, noticedBy }) => {
    const cases = toCases(async () => {
      const right = createInMemoryStore();
      return toStoreHarness({ ...right, ...make(right) });
    });
    const results = await Promise.allSettled(cases.map(({ run }) => run()));
    const failed = cases.filter((_, index) => results[index]?.status === 'rejected').map(({ title }) => title);
    expect(failed).toEqual(expect.arrayContaining(noticedBy));
  });
}

export async function collectRecords(
  records: Iterable<MemoryRecord> | AsyncIterable<MemoryRecord>,
): Promise<MemoryRecord[]> {
  const collected: MemoryRecord[] = [];
  for await (const record of records) collected.push(record);
  return collected;
}

/** Yields the correct list with a change. */
export async function* changedList(
  right: MemoryStore,
  query: Parameters<MemoryStore['listMemories']>[0],
  change: (memories: StoredMemory[]) => StoredMemory[],
): AsyncGenerator<StoredMemory> {
  yield* change(await collect(right.listMemories(query)));
}

/** Returns a store whose `getMemory` returns a changed memory. */
export function withChangedMemory(right: MemoryStore, change: (memory: StoredMemory) => StoredMemory): Partial<Store> {
  return {
    async getMemory(query) {
      const memory = await right.getMemory(query);
      return memory && change(memory);
    },
  };
}
