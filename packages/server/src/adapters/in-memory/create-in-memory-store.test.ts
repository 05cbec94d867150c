import { expect, test } from 'vitest';
import { createApiKey } from '../../api-keys/create-api-key.ts';
import { apiKeyStoreCases, memoryStoreAdminCases, memoryStoreCases, toStoreHarness } from '../../testing/index.ts';
import { createRecord } from '../../testing/test-records.ts';
import { createInMemoryStore } from './create-in-memory-store.ts';

for (const cases of [memoryStoreCases, memoryStoreAdminCases, apiKeyStoreCases]) {
  for (const { title, run } of cases(async () => toStoreHarness(createInMemoryStore()))) test(title, run);
}

test('the result of getMemory cannot be changed', async () => {
  const { store, seed } = toStoreHarness(createInMemoryStore());
  await seed('ada', [createRecord({ id: 'one', media: { audio: { object_key: 'a', content_type: 'audio/wav' } } })]);
  const memory = await store.getMemory({ userId: 'ada', memoryId: 'one' });
  for (const part of [memory, memory?.media, memory?.media.audio]) expect(Object.isFrozen(part)).toBe(true);
});

test('rejects values that should be text or dates but are not', async () => {
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'ada' });
  const { keyId, keyHash } = createApiKey();
  const invalidAccount = {
    code: 'invalid_account',
    message: expect.stringMatching(/: its user id is not a string\./),
  };
  for (const userId of [undefined, null, 5]) {
    await expect(store.putAccount({ userId } as never)).rejects.toMatchObject(invalidAccount);
  }
  for (const apiKey of [{ expiresAt: '2026-05-01' }, { expiresAt: null }, { keyId: 5 }]) {
    const refused = store.putApiKey({ keyId, keyHash, userId: 'ada', ...apiKey } as never);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_api_key' });
  }
});
