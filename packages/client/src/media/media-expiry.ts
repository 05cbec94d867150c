import type { ListedMemory, Memory } from '@memory-read/contract';
import { type ResponseInfo, responseInfo } from '../response-info.ts';
import { mediaUrlExpiresAt } from './media-url.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Returns when the first of a memory's media URLs expires, by the local clock; undefined if the memory has none.
 *
 * URLs expire by the clock of the server. The response shows how far it differs from the local clock, and the returned
 * time is corrected. The correction is known only for the object that the client returned. For a copy, also one from a
 * store, the result is undefined: use {@link mediaUrlExpiresAt} instead. See section 2.1.1 of the specification.
 *
 * @example
 * ```ts
 * const recorded = await client.getMemory('mem_1');
 * console.log(mediaExpiresAt(recorded)?.toISOString());
 * ```
 */
export function mediaExpiresAt(memory: Memory | ListedMemory): Date | undefined {
  const info = responseInfo(memory);
  const urls = [memory.audio_url, memory.video_url, memory.preview_image_url].filter((url) => typeof url === 'string');
  if (info === undefined || urls.length === 0) return undefined;
  return new Date(Math.min(...urls.map((url) => localExpiry(url, info).getTime())));
}

/**
 * Returns when a URL of a response expires, by the local clock.
 *
 * A cached response has an `Age`. If the clocks differ by more than a day, the `Date` is ignored. The URL then gets at
 * most the hour of section 8 of the specification.
 */
export function localExpiry(url: string, { receivedAt, serverDate, headers }: ResponseInfo): Date {
  const local = receivedAt.getTime();
  const age = Number(/^\d{1,9}$/.exec(headers.get('age') ?? '') ?? 0) * 1000;
  const skew = serverDate ? serverDate.getTime() + age - local : 0;
  const isFar = Math.abs(skew) > DAY;
  const issued = local - age;
  const expiry = (issuedAt: number) => mediaUrlExpiresAt(url, { issuedAt: new Date(issuedAt) })?.getTime() ?? local;
  return new Date(isFar ? Math.min(expiry(issued), issued + HOUR) : expiry(issued + skew) - skew);
}
