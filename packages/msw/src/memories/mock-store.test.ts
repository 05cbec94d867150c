import { toStoredMemory } from '@memory-read/server';
import { memoryStoreCases } from '@memory-read/server/testing';
import { test } from 'vitest';
import { createMockStore } from './mock-store.ts';

const cases = memoryStoreCases(async () => {
  const store = createMockStore();
  return {
    store,
    seed: async (userId, records) => {
      for (const record of records) store.put(toStoredMemory(userId, record));
    },
    close: async () => {},
  };
});

for (const { title, run } of cases) test(title, run);
