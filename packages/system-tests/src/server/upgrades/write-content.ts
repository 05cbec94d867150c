import { type ApiKeyStore, hashApiKey, type MemoryStoreAdmin } from '@memory-read/server';
import { account, apiKeys, memories } from './written-content.ts';

/** Puts all that every database beside this file holds into a new one. */
export async function writeContent(store: MemoryStoreAdmin & ApiKeyStore): Promise<void> {
  await store.putAccount(account);
  // Twice with another start, so that the count of moves is not what a new database has.
  await store.putMemories(
    account.userId,
    memories.map((memory) => ({ ...memory, started_at: '2026-01-01T00:00:00.000Z' })),
  );
  await store.putMemories(account.userId, memories);
  for (const { keyId, key, expiresAt } of Object.values(apiKeys)) {
    await store.putApiKey({ keyId, keyHash: hashApiKey(key), userId: account.userId, expiresAt });
  }
  await store.revokeApiKey(apiKeys.revoked.keyId);
}
