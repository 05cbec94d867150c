import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { assertOptions } from '../assert-options.ts';

/** Returns the SHA-256 of an API key in hexadecimal. Stores hold only this hash. See section 5 of the specification. */
export function hashApiKey(key: string): string {
  assertOptions('hash an API key', { key }, { key: 'string' }, 'Pass the key as text');
  return bytesToHex(sha256(utf8ToBytes(key)));
}
