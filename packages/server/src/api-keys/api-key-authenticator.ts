import { systemClock } from '@memory-read/contract/date-time';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { assertOptions, assertParts } from '../assert-options.ts';
import type { ApiKeyStore } from '../ports/api-key-store.ts';
import type { Authenticate } from '../ports/authenticate.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Returns an {@link Authenticate} that finds keys in a store by their hash.
 *
 * A revoked or expired key is treated like an unknown one; only `onRequest` shows the difference. The clock decides whether a key has expired. Default: the
 * clock of the machine.
 *
 * @throws TypeError if the store lacks `findApiKey`, or the clock lacks `now`.
 *
 * @see Section 5 of the specification.
 *
 * @example
 * ```ts
 * const authenticate = apiKeyAuthenticator(store);
 * console.log(await authenticate(key)); // { userId: 'user_1', keyId: 'key_…' }
 * ```
 */
export function apiKeyAuthenticator(
  keys: Pick<ApiKeyStore, 'findApiKey'>,
  options: { clock?: Clock | undefined } = {},
): Authenticate {
  const purpose = 'create an authenticator';
  const advice = 'Pass a store of API keys, and { clock } or nothing';
  assertParts(purpose, { keys, options }, { 'keys.findApiKey': 'function', options: 'object' }, advice);
  assertOptions(purpose, options, { 'clock?.now': 'function' }, advice);
  const { clock = systemClock } = options;
  return async (key, context) => {
    const found = await keys.findApiKey(hashApiKey(key));
    if (!found) return undefined;
    const { userId, keyId, active, expiresAt } = found;
    const hasExpired = expiresAt !== undefined && expiresAt <= clock.now();
    if (active && !hasExpired) return { userId, keyId };
    context?.refuse(active ? 'expired' : 'revoked', keyId);
    return undefined;
  };
}

/** Returns the SHA-256 of an API key in hexadecimal. Stores hold only this hash. See section 5 of the specification. */
export function hashApiKey(key: string): string {
  if (typeof key !== 'string')
    throw new TypeError('Failed to hash an API key: key is not a string. Pass the key as text.');
  return bytesToHex(sha256(utf8ToBytes(key)));
}
