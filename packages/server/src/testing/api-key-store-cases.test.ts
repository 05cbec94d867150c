import { apiKeyStoreCases } from './api-key-store-cases.ts';
import { type Mistake, testMistakes } from './mistaken-store.test-support.ts';

const mistakes: Record<string, Mistake> = {
  'keys that stay active': {
    make: (right) => ({
      revokeApiKey: async (keyId) => (await right.listApiKeys()).some((apiKey) => apiKey.keyId === keyId),
    }),
    noticedBy: ['revokes a key, which can still be found'],
  },
  'keys without expiry': {
    make: (right) => ({ putApiKey: ({ expiresAt: _, ...apiKey }) => right.putApiKey(apiKey) }),
    noticedBy: ['finds a key by its hash, with its account, state, expiry and label'],
  },
  'keys of all accounts in every list': {
    make: (right) => ({ listApiKeys: () => right.listApiKeys() }),
    noticedBy: ['lists all keys, or those of an account, by their id'],
  },
};

testMistakes(mistakes, apiKeyStoreCases);
