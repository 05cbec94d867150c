import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { assertParts } from '../assert-options.ts';

/** A secret with which media URLs are signed. */
export interface MediaSecret {
  /** Name of the secret, which each signed URL contains: 1 to 64 letters, digits, `.`, `_` and `-`. */
  id: string;
  /** Random text of at least 16 bytes of UTF-8. */
  secret: string;
}

/** What a media URL grants: to read one object, as one media type, until it expires. */
export interface MediaGrant {
  objectKey: string;
  contentType: string;
  /** Unix time in seconds. */
  expires: number;
}

/** A grant with its signature. */
export interface SignedMediaGrant extends MediaGrant {
  secretId: string;
  /** HMAC-SHA256 in base64url. */
  signature: string;
}

/** Signs grants with the first secret, and verifies the signatures of all secrets. */
export interface MediaKeyring {
  sign(grant: MediaGrant): SignedMediaGrant;
  verify(grant: SignedMediaGrant): boolean;
  /** Whether a secret has this id. */
  knows(secretId: string): boolean;
}

/**
 * Prepares the hash state of each secret once, because signing is faster with it.
 *
 * @throws TypeError if there is no secret, an id is repeated or invalid, or a secret is too short.
 */
export function createMediaKeyring(secrets: readonly MediaSecret[]): MediaKeyring {
  const states = new Map<string, HmacState>();
  for (const [index, given] of secrets.entries()) {
    const parts = { id: 'string', secret: 'string' } as const;
    assertParts(`prepare media secret ${index + 1}`, given, parts, 'Pass { id, secret }');
    const { id, secret } = given;
    assertSecret({ id, secret }, index + 1, states);
    states.set(id, hmac.create(sha256, encoder.encode(secret)));
  }
  const [first] = states;
  if (first === undefined) throw configurationError('no secret is given', 'Pass at least one { id, secret }');
  const [signingId, signingState] = first;

  return {
    sign: (grant) => ({ ...grant, secretId: signingId, signature: signatureOf(grant, signingId, signingState) }),
    verify(grant) {
      const state = states.get(grant.secretId);
      // An unknown id costs the same comparison, so that response times do not reveal which ids exist.
      const expected = signatureOf(grant, grant.secretId, state ?? signingState);
      return isSameText(expected, grant.signature) && state !== undefined;
    },
    knows: (secretId) => states.has(secretId),
  };
}

type HmacState = ReturnType<typeof hmac.create>;

// One copy is reused, because allocating it costs as much as hashing. `digest` clears it.
const workingState = hmac.create(sha256, new Uint8Array());
const encoder = new TextEncoder();
const minimumSecretBytes = 16;

// Only the object key can hold line feeds, so a signed text has one meaning if it is read from its end.
function signatureOf({ objectKey, contentType, expires }: MediaGrant, secretId: string, state: HmacState): string {
  const text = `${objectKey}\n${contentType}\n${expires}\n${secretId}`;
  return toBase64Url(state._cloneInto(workingState).update(encoder.encode(text)).digest());
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
// The length of a signature is constant, so this array is reused.
const signatureLength = 43;
const characterCodes: number[] = Array.from({ length: signatureLength + 1 }, () => 0);

/** Encodes six bits a character, without padding. An array is faster than a growing text, which leaves garbage. */
function toBase64Url(bytes: Uint8Array): string {
  let place = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const bits = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    for (let shift = 18; shift >= 0; shift -= 6) {
      characterCodes[place] = alphabet.charCodeAt((bits >> shift) & 63);
      place += 1;
    }
  }
  return String.fromCharCode(...characterCodes).slice(0, signatureLength);
}

// Texts are compared, not bytes: the last character of base64url has spare bits, so several texts decode alike.
function isSameText(expected: string, actual: string): boolean {
  let difference = expected.length ^ actual.length;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= expected.charCodeAt(index) ^ actual.charCodeAt(index);
  }
  return difference === 0;
}

/** Names a secret by its position: if id and secret were mixed up, the id is the secret. */
function assertSecret({ id, secret }: MediaSecret, place: number, taken: ReadonlyMap<string, unknown>): void {
  if (!/^[\w.-]{1,64}$/.test(id)) {
    throw configurationError(
      `the id of secret ${place} cannot be part of a URL`,
      'Use 1 to 64 letters, digits, ".", "_" or "-"',
    );
  }
  if (taken.has(id))
    throw configurationError(`secret ${place} has the same id as an earlier one`, 'Give each secret its own id');
  const length = encoder.encode(secret).length;
  if (length < minimumSecretBytes) {
    throw configurationError(
      `secret ${place} is shorter than ${minimumSecretBytes} bytes`,
      `Use at least ${minimumSecretBytes} random bytes`,
    );
  }
}

function configurationError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to prepare the media secrets: ${reason}. ${advice}.`);
}
