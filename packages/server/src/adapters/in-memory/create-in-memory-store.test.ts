import type { MemoryRecord } from '@memory-read/contract';
import { expect, test } from 'vitest';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases } from '../../testing/index.ts';
import { createRecord } from '../../testing/test-records.ts';
import { createInMemoryStore } from './create-in-memory-store.ts';

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(createHarness)) test(title, run);
}

test('what is handed out is frozen or a copy', async () => {
  const { store, seed } = await createHarness();
  await seed('ada', [createRecord({ id: 'one', media: { audio: { object_key: 'a', content_type: 'audio/wav' } } })]);
  const memory = await store.getMemory({ userId: 'ada', memoryId: 'one' });
  expect(() => Object.assign(memory?.media.audio ?? {}, { object_key: 'b' })).toThrow(TypeError);
});

async function createHarness() {
  const store = createInMemoryStore();
  return {
    store,
    async seed(userId: string, records: readonly MemoryRecord[]) {
      await store.putAccount({ userId });
      await store.putMemories(userId, records);
    },
    async close() {},
  };
}
