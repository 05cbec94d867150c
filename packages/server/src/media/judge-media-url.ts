import { MEDIA_URL_LIFETIME_SECONDS } from '@memory-read/contract';
import type { ProblemName } from '@memory-read/contract/operations';
import { mediaObjectProblem } from '../records/value-problems.ts';
import { encodeMediaTarget } from './create-hmac-media-signer.ts';
import type { MediaGrant, MediaKeyring, SignedMediaGrant } from './media-keyring.ts';

/** A request whose media URL is refused. */
export interface MediaRefusalEvent {
  /** Value of `X-Request-Id`: the one that the caller sent, or a new one. */
  requestId: string;
  /**
   * - `invalid`: the signature does not match, or the URL was changed.
   * - `unknown`: no secret has the id that the URL names, for example because it was removed too early.
   * - `expired`: the URL was valid until it expired.
   */
  reason: 'invalid' | 'unknown' | 'expired';
}

/** What a media URL grants, or the problem with it. */
export type MediaVerdict =
  | { grant: MediaGrant }
  | { problem: Extract<ProblemName, `media-url-${string}`>; reason: MediaRefusalEvent['reason'] };

/**
 * Checks path and query of a media URL at a time in milliseconds.
 *
 * The signature is checked before the expiry time, so that a URL that never worked is not reported as expired.
 */
export function judgeMediaUrl(target: string, keyring: MediaKeyring, now: number): MediaVerdict {
  const grant = decodeMediaTarget(target);
  if (grant === undefined) return changed;
  if (!keyring.verify(grant)) return keyring.knows(grant.secretId) ? changed : { ...changed, reason: 'unknown' };
  // A valid URL in another encoding counts as changed.
  if (encodeMediaTarget(grant) !== target) return changed;
  const remaining = grant.expires * 1000 - now;
  if (remaining >= longestLifetime) return changed;
  return remaining > 0 ? { grant } : { problem: 'media-url-expired', reason: 'expired' };
}

const changed = { problem: 'media-url-invalid', reason: 'invalid' } as const;

// The signer rounds up to a second, and its clock may be one minute fast.
const longestLifetime = (MEDIA_URL_LIFETIME_SECONDS + 61) * 1000;

/**
 * Returns the grant in a path and query, or `undefined` if they do not have the form of a media URL.
 *
 * Several spellings decode alike, so the caller compares the target with that of {@link encodeMediaTarget}.
 */
function decodeMediaTarget(target: string): SignedMediaGrant | undefined {
  const [, path = '', expires = '', type = '', secretId = '', signature = ''] = shape.exec(target) ?? [];
  const objectKey = decodeText(path);
  const contentType = decodeText(type);
  if (objectKey === undefined || contentType === undefined) return undefined;
  if (mediaObjectProblem(objectKey, contentType) !== undefined) return undefined;
  return { objectKey, contentType, expires: Number(expires), secretId, signature };
}

const shape = /^\/([^?]+)\?expires=(\d{1,13})&type=([^&]+)&key=([\w.-]+)&signature=([\w-]+)$/;

function decodeText(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
