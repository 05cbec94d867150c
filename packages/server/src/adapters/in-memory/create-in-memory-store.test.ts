import { expect, test } from 'vitest';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '../../testing/index.ts';
import { createRecord } from '../../testing/test-records.ts';
import { createInMemoryStore } from './create-in-memory-store.ts';

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(async () => toStoreHarness(createInMemoryStore()))) test(title, run);
}

test('what getMemory hands out cannot be changed', async () => {
  const { store, seed } = toStoreHarness(createInMemoryStore());
  await seed('ada', [createRecord({ id: 'one', media: { audio: { object_key: 'a', content_type: 'audio/wav' } } })]);
  const memory = await store.getMemory({ userId: 'ada', memoryId: 'one' });
  for (const part of [memory, memory?.media, memory?.media.audio]) expect(Object.isFrozen(part)).toBe(true);
});
