import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { encodeRfc3986 } from './encode-rfc3986.ts';
import type { S3Credentials } from './s3-credentials.ts';
import type { S3Location } from './s3-location.ts';
import { createSigningKeys, type SigningKeysOptions } from './signing-keys.ts';

/** One GET of one object. */
export interface PresignedGet {
  location: S3Location;
  objectKey: string;
  /** Value of the response's `Content-Type`. */
  contentType?: string | undefined;
  credentials: S3Credentials;
  /** Unix time in seconds. */
  signedAt: number;
  lifetimeSeconds: number;
}

/** Returns the URL of a GET, with the signature in its query. */
export type Presign = (get: PresignedGet) => string;

/**
 * Implements Signature Version 4 for S3: the path is encoded once and not normalised. The parameters have the order in
 * which they are signed.
 */
export function createPresigner(options: SigningKeysOptions): Presign {
  const signingKeyOf = createSigningKeys(options);
  return ({ location, objectKey, contentType, credentials, signedAt, lifetimeSeconds }) => {
    const time = new Date(signedAt * 1000).toISOString().replace(/[:-]|\.\d+/g, '');
    const { scope, credential, securityToken, sign } = signingKeyOf(credentials, time.slice(0, 8));

    const path = location.pathPrefix + encodeRfc3986(objectKey).replaceAll('%2F', '/');
    const token = securityToken === undefined ? '' : `&X-Amz-Security-Token=${securityToken}`;
    const type = contentType === undefined ? '' : `&response-content-type=${encodeRfc3986(contentType)}`;
    const start = `X-Amz-Algorithm=${algorithm}&X-Amz-Credential=${credential}&X-Amz-Date=${time}&X-Amz-Expires=${lifetimeSeconds}${token}`;
    const end = `X-Amz-SignedHeaders=host${type}`;

    const request = `GET\n${path}\n${start}&${end}\nhost:${location.host}\n\nhost\nUNSIGNED-PAYLOAD`;
    const signature = sign(`${algorithm}\n${time}\n${scope}\n${bytesToHex(sha256(utf8ToBytes(request)))}`);
    return `${location.origin}${path}?${start}&X-Amz-Signature=${signature}&${end}`;
  };
}

const algorithm = 'AWS4-HMAC-SHA256';
