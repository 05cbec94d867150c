import { hashApiKey } from './api-key-authenticator.ts';

/**
 * Returns a new API key with its id and its hash.
 *
 * Show `key` to its owner once. Store only `keyId` and `keyHash`.
 *
 * @see Section 5 of the specification.
 *
 * @example
 * ```ts
 * const { key, keyId, keyHash } = createApiKey();
 * await store.putApiKey({ keyId, keyHash, userId: 'user_1' });
 * ```
 */
export function createApiKey(): { keyId: string; key: string; keyHash: string } {
  const key = `mrk_${randomText(32)}`;
  return { keyId: `key_${randomText(12)}`, key, keyHash: hashApiKey(key) };
}

// `crypto.randomUUID` is missing on insecure origins; `getRandomValues` is not.
function randomText(byteCount: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(byteCount));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
