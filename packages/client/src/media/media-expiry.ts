import type { ListedMemory, Memory } from '@memory-read/contract';
import { systemClock } from '@memory-read/contract/date-time';
import { type ResponseInfo, responseInfo } from '../response-info.ts';
import { headerOf } from '../transport/header-of.ts';
import { mediaUrlExpiresAt } from './media-url.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Returns when the first of a memory's media URLs expires, by the local clock; undefined if the memory has none.
 *
 * URLs expire by the clock of the server. The response shows how far it differs from the local clock, and the returned
 * time is corrected. For a copy, also one from a store, the result is the earliest expiry that its URLs state, at most
 * one hour from now. It is undefined if none states one. See section 2.1.1 of the specification.
 *
 * @example
 * ```ts
 * const recorded = await client.getMemory('mem_1');
 * console.log(mediaExpiresAt(recorded)?.toISOString());
 * ```
 */
export function mediaExpiresAt(memory: Memory | ListedMemory): Date | undefined {
  const info = responseInfo(memory);
  const expiries = mediaUrlsOf(memory).flatMap((url) =>
    info ? localExpiry(url, info) : (mediaUrlExpiresAt(url) ?? []),
  );
  return (
    expiries[0] &&
    new Date(Math.min(...expiries.map(Number), info ? Number.POSITIVE_INFINITY : systemClock.now().getTime() + HOUR))
  );
}

/** Returns the media URLs that a memory has. */
export function mediaUrlsOf({ audio_url, video_url, preview_image_url }: Memory): string[] {
  return [audio_url, video_url, preview_image_url].filter((url) => typeof url === 'string');
}

/**
 * Returns when a URL of a response expires, by the local clock.
 *
 * A cached response has an `Age`. If the clocks differ by more than a day, the `Date` counts only if the URL expires
 * within an hour after it. Without a `Date` that counts, the URL gets at most the hour of section 8 of the specification.
 */
export function localExpiry(url: string, { receivedAt, serverDate, headers }: ResponseInfo): Date {
  const age = Number(/^\d{1,9}$/.exec(headerOf(headers, 'age') ?? '') ?? 0) * 1000;
  const issued = receivedAt.getTime() - age;
  // Without a Date, the skew is NaN, and no comparison with it is true.
  const skew = Number(serverDate) - issued;
  const expiry = (issuedAt: Date | undefined) => Number(mediaUrlExpiresAt(url, { issuedAt }));
  const corrected = expiry(serverDate) - skew;
  const agrees = corrected > issued && corrected <= issued + HOUR;
  return new Date(Math.abs(skew) <= DAY || agrees ? corrected : Math.min(expiry(new Date(issued)), issued + HOUR));
}
