import { MEDIA_URL_LIFETIME_SECONDS } from '@memory-read/contract';
import type { ProblemName } from '@memory-read/contract/operations';
import type { MediaGrant, MediaKeyring } from './media-keyring.ts';
import { decodeMediaTarget, encodeMediaTarget } from './media-target.ts';

/** What a media URL grants, or the problem with it. */
export type MediaVerdict = { grant: MediaGrant } | { problem: Extract<ProblemName, `media-url-${string}`> };

/**
 * Checks path and query of a media URL at a time in milliseconds.
 *
 * The signature is checked before the expiry time, so that a URL that never worked is not reported as expired.
 */
export function judgeMediaUrl(target: string, keyring: MediaKeyring, now: number): MediaVerdict {
  const grant = decodeMediaTarget(target);
  if (grant === undefined || !keyring.verify(grant)) return { problem: 'media-url-invalid' };
  // A valid URL in another encoding counts as changed.
  if (encodeMediaTarget(grant) !== target) return { problem: 'media-url-invalid' };
  const remaining = grant.expires * 1000 - now;
  if (remaining >= longestLifetime) return { problem: 'media-url-invalid' };
  return remaining > 0 ? { grant } : { problem: 'media-url-expired' };
}

// The signer rounds up to a second, and its clock may be one minute fast.
const longestLifetime = (MEDIA_URL_LIFETIME_SECONDS + 61) * 1000;
