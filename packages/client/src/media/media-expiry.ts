import type { ListedMemory, Memory } from '@memory-read/contract';
import { type ResponseInfo, responseInfo } from '../response-info.ts';
import { mediaUrlExpiresAt } from './media-url.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * When the first of a memory's media URLs stops working, by the local clock; undefined where it has none.
 *
 * URLs expire by the server's clock; what the local one differs from it by is known from the response and taken out.
 * It is known only of the very object that a method of the client returned: of a copy, also of one that was stored or
 * sent elsewhere, it is undefined. Use {@link mediaUrlExpiresAt} there.
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
 * When a URL of a response stops working, by the local clock.
 *
 * The response may come from a cache, which tells its age. Clocks that are more than a day apart tell nothing of each
 * other: the URL then has no more than the hour of section 8 of the specification.
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
