import { MEDIA_URL_LIFETIME_SECONDS } from '@memory-read/contract';
import type { ProblemName } from '@memory-read/contract/operations';
import type { MediaGrant, MediaKeyring } from './media-keyring.ts';
import { decodeMediaTarget, encodeMediaTarget } from './media-target.ts';

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
