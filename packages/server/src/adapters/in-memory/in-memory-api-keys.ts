import { assertApiKey, keyTakenError } from '../../api-keys/assert-api-key.ts';
import type { ApiKeyInfo, ApiKeyStore } from '../../ports/api-key-store.ts';
import { compareUtf8 } from '../../records/compare-memories.ts';
import { unknownAccountError } from '../../records/memory-store-error.ts';

/** Creates the keys of the in-memory store. It returns copies. */
export function createInMemoryApiKeys(hasAccount: (userId: string) => boolean): ApiKeyStore {
  const keys = new Map<string, ApiKeyInfo & { keyHash: string }>();
  const findByHash = (keyHash: string) => [...keys.values()].find((apiKey) => apiKey.keyHash === keyHash);

  return {
    async findApiKey(keyHash) {
      const found = findByHash(keyHash);
      return found && toInfo(found);
    },
    async putApiKey(apiKey) {
      assertApiKey(apiKey);
      const { keyId, keyHash, userId, active = true, expiresAt, label, createdAt } = apiKey;
      if (!hasAccount(userId)) throw unknownAccountError(userId);
      const sameHash = findByHash(keyHash);
      if (sameHash && sameHash.keyId !== keyId) throw keyTakenError(keyId);
      const dates = { expiresAt: copyDate(expiresAt), createdAt: copyDate(createdAt) };
      keys.set(keyId, { keyId, keyHash, userId, active, label, ...dates });
    },
    async revokeApiKey(keyId) {
      const found = keys.get(keyId);
      if (!found) return false;
      found.active = false;
      return true;
    },
    async listApiKeys(userId) {
      const listed = [...keys.values()].filter((apiKey) => userId === undefined || apiKey.userId === userId);
      return listed.sort((a, b) => compareUtf8(a.keyId, b.keyId)).map(toInfo);
    },
  };
}

function toInfo({ keyId, userId, active, expiresAt, label, createdAt }: ApiKeyInfo): ApiKeyInfo {
  return {
    keyId,
    userId,
    active,
    ...(expiresAt && { expiresAt: copyDate(expiresAt) }),
    ...(label !== undefined && { label }),
    ...(createdAt && { createdAt: copyDate(createdAt) }),
  };
}

function copyDate(date: Date | undefined): Date | undefined {
  return date && new Date(date);
}
