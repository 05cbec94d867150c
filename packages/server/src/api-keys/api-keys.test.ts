import { expect, test } from 'vitest';
import { createInMemoryStore } from '../adapters/in-memory/create-in-memory-store.ts';
import { apiKeyAuthenticator, hashApiKey } from './api-key-authenticator.ts';
import { createApiKey } from './create-api-key.ts';

test('a key has 32 random bytes, and a store contains only its hash', () => {
  const { keyId, key, keyHash } = createApiKey();
  expect(key).toMatch(/^mrk_[A-Za-z0-9_-]{43}$/);
  expect(keyId).toMatch(/^key_[A-Za-z0-9_-]{16}$/);
  expect(keyHash).toBe(hashApiKey(key));
  const keys = Array.from({ length: 200 }, createApiKey);
  expect(new Set(keys.flatMap((created) => [created.key, created.keyId])).size).toBe(400);
});

test('the hash of a key is its SHA-256 in hex', () => {
  expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('without a clock, uses the current time', async () => {
  const store = createInMemoryStore();
  const { keyId, key, keyHash } = createApiKey();
  await store.putAccount({ userId: 'ada' });
  await store.putApiKey({ keyId, keyHash, userId: 'ada', expiresAt: new Date(0) });
  expect(await apiKeyAuthenticator(store)(key)).toBeUndefined();
});
