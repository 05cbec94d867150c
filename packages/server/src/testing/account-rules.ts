import type { MemoryStoreAdmin } from '../ports/memory-store-admin.ts';
import { expectEqual, expectRejection } from './expectations.ts';
import type { StoreRules } from './store-case.ts';

export const accountRules: StoreRules<MemoryStoreAdmin> = {
  async 'makes an account, renames it, and keeps its name where none is given'({ store }) {
    expectEqual(await store.findAccount('ada'), undefined, 'An account is found before it is put');
    await store.putAccount({ userId: 'ada' });
    expectEqual(await store.findAccount('ada'), { userId: 'ada', name: null }, 'A new account has no null name');
    await store.putAccount({ userId: 'ada', name: 'Ada 😀' });
    await store.putAccount({ userId: 'ada' });
    expectEqual(await store.findAccount('ada'), { userId: 'ada', name: 'Ada 😀' }, 'An account loses its name');
  },

  async 'keeps accounts apart'({ store }) {
    const userIds = ['ada', 'Ada', 'ada ', 'é', 'e\u0301', '\ufffd', "a'; --", '😀'.repeat(256)];
    for (const userId of userIds) await store.putAccount({ userId, name: `Name of ${userId}` });
    for (const userId of userIds) {
      const account = await store.findAccount(userId);
      expectEqual(account, { userId, name: `Name of ${userId}` }, 'Two accounts are taken for one');
    }
    expectEqual(await store.findAccount('\ud800'), undefined, 'An account is found under a text nobody stored');
  },

  async 'refuses accounts that not every store could keep'({ store }) {
    for (const userId of ['', '.', '..', 'nul\0', 'line\nbreak', '\ud800', 'x'.repeat(257)]) {
      await expectRejection(store.putAccount({ userId }), `The user id ${JSON.stringify(userId)} is stored`);
    }
    for (const name of ['nul\0', '\udfff']) {
      await expectRejection(store.putAccount({ userId: 'ada', name }), `The name ${JSON.stringify(name)} is stored`);
    }
  },
};
