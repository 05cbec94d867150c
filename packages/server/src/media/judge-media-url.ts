import { MEDIA_URL_LIFETIME_SECONDS } from '@memory-read/contract';
import type { ProblemName } from '@memory-read/contract/operations';
import type { MediaGrant, MediaKeyring } from './media-keyring.ts';
import { decodeMediaTarget, encodeMediaTarget } from './media-target.ts';

/** What a media URL is found to be worth. */
export type MediaVerdict = { grant: MediaGrant } | { problem: Extract<ProblemName, `media-url-${string}`> };

/**
 * Judges path and query of a media URL at an instant, in milliseconds.
 *
 * The signature comes before the expiry, so that only who holds a URL that once worked learns that its hour is over.
 */
export function judgeMediaUrl(target: string, keyring: MediaKeyring, now: number): MediaVerdict {
  const grant = decodeMediaTarget(target);
  if (grant === undefined || !keyring.verify(grant)) return { problem: 'media-url-invalid' };
  // Another spelling of the same values is a changed URL all the same.
  if (encodeMediaTarget(grant) !== target) return { problem: 'media-url-invalid' };
  const remaining = grant.expires * 1000 - now;
  if (remaining >= longestLifetime) return { problem: 'media-url-invalid' };
  return remaining > 0 ? { grant } : { problem: 'media-url-expired' };
}

// The signer's clock may run ahead by a minute, and it rounds up to a second.
const longestLifetime = (MEDIA_URL_LIFETIME_SECONDS + 61) * 1000;
