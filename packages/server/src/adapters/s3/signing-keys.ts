import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeRfc3986 } from './encode-rfc3986.ts';
import type { S3Credentials } from './s3-credentials.ts';

/** Options of {@link createSigningKeys}. */
export interface SigningKeysOptions {
  region: string;
  /** Derives a key. Default: {@link deriveSigningKey}. A test counts its calls. */
  deriveKey?: typeof deriveSigningKey | undefined;
}

/** Credentials, ready to sign on one day. */
export interface SigningKey {
  /** Day, region and service of the key. */
  scope: string;
  /** Parameters that name the credentials, encoded for a query. */
  credential: string;
  securityToken: string | undefined;
  /** Returns the HMAC-SHA256 in hexadecimal digits. */
  sign(text: string): string;
}

/** Returns the key of a day such as `20260131`. The last key is cached, because a whole list is signed with it. */
export function createSigningKeys({ region, deriveKey = deriveSigningKey }: SigningKeysOptions) {
  let last: { id: string; key: SigningKey } | undefined;
  return (credentials: S3Credentials, day: string): SigningKey => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const id = `${day} ${accessKeyId} ${secretAccessKey} ${sessionToken}`;
    if (last?.id !== id) {
      const state = hmac.create(sha256, deriveKey(secretAccessKey, { day, region }));
      last = { id, key: toSigningKey(credentials, `${day}/${region}/${service}/${terminator}`, state) };
    }
    return last.key;
  };
}

/** Derives the key that signs for S3 in one region on one day. */
export function deriveSigningKey(
  secretAccessKey: string,
  { day, region }: { day: string; region: string },
): Uint8Array {
  const steps = [day, region, service, terminator];
  return steps.reduce((key, step) => hmac(sha256, key, utf8ToBytes(step)), utf8ToBytes(`AWS4${secretAccessKey}`));
}

const service = 's3';
const terminator = 'aws4_request';
// One copy is reused, because allocating it costs as much as hashing. `digest` clears it.
const workingState = hmac.create(sha256, new Uint8Array());

function toSigningKey(
  { accessKeyId, sessionToken }: S3Credentials,
  scope: string,
  state: typeof workingState,
): SigningKey {
  return {
    scope,
    credential: encodeRfc3986(`${accessKeyId}/${scope}`),
    securityToken: sessionToken && encodeRfc3986(sessionToken),
    sign: (text) => bytesToHex(state._cloneInto(workingState).update(utf8ToBytes(text)).digest()),
  };
}
