import type { ApiKeyStore } from '../ports/api-key-store.ts';
import { expectEqual, expectRejection } from './expectations.ts';
import { type CreateStore, type StoreCase, type StoreRules, toStoreCases } from './store-case.ts';

const hashes = { one: '1'.repeat(64), two: '2'.repeat(64), three: '3'.repeat(64) };
const expiresAt = new Date('2026-05-01T12:34:56.789Z');

/**
 * Returns a case for every rule of an `ApiKeyStore`. `seed` is called only to create accounts. See
 * {@link memoryStoreCases}.
 */
export function apiKeyStoreCases(create: CreateStore<ApiKeyStore>): StoreCase[] {
  return toStoreCases(create, apiKeyRules);
}

const apiKeyRules: StoreRules<ApiKeyStore> = {
  async 'finds a key by its hash, with its account, state, expiry and label'({ store, seed }) {
    await seed('ada', []);
    await store.putApiKey({ keyId: 'plain', keyHash: hashes.one, userId: 'ada' });
    const details = { expiresAt, label: 'Ada’s laptop', createdAt: new Date('2026-04-01T00:00:00.001Z') };
    await store.putApiKey({ keyId: 'inactive', keyHash: hashes.two, userId: 'ada', active: false, ...details });
    const plain = { keyId: 'plain', userId: 'ada', active: true };
    expectEqual(await store.findApiKey(hashes.one), plain, 'A key is not active and without expiry unless told so');
    const inactive = { keyId: 'inactive', userId: 'ada', active: false, ...details };
    expectEqual(
      await store.findApiKey(hashes.two),
      inactive,
      'An inactive key with an expiry and a label is not found as it was put',
    );
    for (const keyHash of [hashes.three, '', 'plain', hashes.one.slice(1), '%', '\ud800']) {
      expectEqual(await store.findApiKey(keyHash), undefined, `Hash ${keyHash}, which nobody put, finds a key`);
    }
  },

  async 'revokes a key, which can still be found'({ store, seed }) {
    await seed('ada', []);
    await store.putApiKey({ keyId: 'one', keyHash: hashes.one, userId: 'ada' });
    await store.putApiKey({ keyId: 'two', keyHash: hashes.two, userId: 'ada' });
    expectEqual(await store.revokeApiKey('one'), true, 'Revoking a key that exists does not give true');
    expectEqual(await store.revokeApiKey('three'), false, 'Revoking an unknown key does not give false');
    expectEqual((await store.findApiKey(hashes.one))?.active, false, 'A revoked key is active');
    expectEqual((await store.findApiKey(hashes.two))?.active, true, 'Revoking one key revokes another one');
  },

  async 'lists all keys, or those of an account, by their id'({ store, seed }) {
    await seed('ada', []);
    await seed('grace', []);
    await store.putApiKey({ keyId: 'b', keyHash: hashes.one, userId: 'ada', expiresAt });
    await store.putApiKey({ keyId: 'c', keyHash: hashes.two, userId: 'grace' });
    await store.putApiKey({ keyId: 'a', keyHash: hashes.three, userId: 'ada', active: false });
    const ofAda = [
      { keyId: 'a', userId: 'ada', active: false },
      { keyId: 'b', userId: 'ada', active: true, expiresAt },
    ];
    expectEqual(await store.listApiKeys('ada'), ofAda, 'The keys of an account are not listed by their id');
    const all = [...ofAda, { keyId: 'c', userId: 'grace', active: true }];
    expectEqual(await store.listApiKeys(), all, 'Not all keys are listed by their id');
    expectEqual(await store.listApiKeys('nobody'), [], 'An account that does not exist lists keys');
  },

  async 'replaces all of the key with the same id'({ store, seed }) {
    await seed('ada', []);
    await seed('grace', []);
    const details = { expiresAt, label: 'old', createdAt: expiresAt };
    await store.putApiKey({ keyId: 'one', keyHash: hashes.one, userId: 'ada', active: false, ...details });
    await store.putApiKey({ keyId: 'one', keyHash: hashes.two, userId: 'grace' });
    expectEqual(await store.findApiKey(hashes.one), undefined, 'The hash of a replaced key is still found');
    const expected = { keyId: 'one', userId: 'grace', active: true };
    expectEqual(await store.findApiKey(hashes.two), expected, 'A key is not replaced as a whole');
    expectEqual((await store.listApiKeys()).length, 1, 'A replaced key is listed twice');
  },

  async 'refuses an unknown account, a hash in use and an invalid hash'({ store, seed }) {
    await seed('ada', []);
    await seed('grace', []);
    await store.putApiKey({ keyId: 'one', keyHash: hashes.one, userId: 'ada' });
    const unknown = store.putApiKey({ keyId: 'two', keyHash: hashes.two, userId: 'nobody' });
    await expectRejection(unknown, 'A key of an unknown account is stored');
    const taken = store.putApiKey({ keyId: 'two', keyHash: hashes.one, userId: 'grace' });
    await expectRejection(taken, 'One key is stored for two accounts');
    const key = 'mrk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    const error = await expectRejection(
      store.putApiKey({ keyId: 'two', keyHash: key, userId: 'ada' }),
      'A key is stored in place of its hash',
    );
    expectEqual(String(error).includes(key), false, 'An error shows an API key');
    const invalidDate = { keyId: 'two', keyHash: hashes.two, userId: 'ada', expiresAt: new Date(Number.NaN) };
    await expectRejection(store.putApiKey(invalidDate), 'An invalid expiry is stored');
    for (const label of ['', 'x'.repeat(101), 'two\nlines', key]) {
      const labelled = { keyId: 'two', keyHash: hashes.two, userId: 'ada', label };
      await expectRejection(
        store.putApiKey(labelled),
        'A label that is empty, too long, of two lines or a key is stored',
      );
    }
    expectEqual((await store.listApiKeys()).length, 1, 'A refused key is stored');
  },

  async 'is not changed by what a caller does to its arguments and results'({ store, seed }) {
    await seed('ada', []);
    const dates = { expiresAt: new Date(expiresAt), createdAt: new Date(expiresAt) };
    await store.putApiKey({ keyId: 'one', keyHash: hashes.one, userId: 'ada', ...dates });
    for (const date of Object.values(dates)) date.setTime(0);
    const found = await store.findApiKey(hashes.one);
    found?.expiresAt?.setTime(0);
    found?.createdAt?.setTime(0);
    if (found && !Object.isFrozen(found)) found.active = false;
    const expected = { keyId: 'one', userId: 'ada', active: true, expiresAt, createdAt: expiresAt };
    expectEqual(await store.findApiKey(hashes.one), expected, 'A caller can change the store from outside');
  },
};
