import { parseDateTime } from '@memory-read/contract/date-time';
/** What is known about a media URL beside the URL. */
export interface MediaUrlExpiryOptions {
  /** When the response that held the URL was created. */
  readonly issuedAt?: Date | undefined;
  /** Seconds that a URL lives which does not say so itself. Default: 3,600, by section 8 of the specification. */
  readonly lifetimeSeconds?: number | undefined;
}

/** How {@link isMediaUrlExpired} looks at a media URL. */
export interface MediaUrlExpiredOptions {
  /** The time to judge by. Default: the local time. */
  readonly now?: Date | undefined;
  /** As in {@link MediaUrlExpiryOptions.issuedAt}. */
  readonly issuedAt?: Date | undefined;
  /** Seconds before its end from which a URL counts as expired. Default: 0. */
  readonly marginSeconds?: number | undefined;
}

const LIFETIME_SECONDS = 3600;
const localClock = { now: () => new Date() };

/**
 * When a signed media URL stops working, by the clock of the server; undefined where neither the URL nor `issuedAt` tells.
 *
 * What the URL itself says comes first: the forms of AWS, Google, CloudFront, Azure and the reference server are known.
 * Any other URL lives for one hour from `issuedAt`. See section 2.1, rule 1, of the specification.
 *
 * @example
 * ```ts
 * const expiresAt = mediaUrlExpiresAt(audioUrl, { issuedAt: new Date() });
 * console.log(`It plays until ${expiresAt?.toISOString()}.`);
 * ```
 */
export function mediaUrlExpiresAt(url: string, options: MediaUrlExpiryOptions = {}): Date | undefined {
  const { issuedAt, lifetimeSeconds = LIFETIME_SECONDS } = options;
  const expiry = statedExpiry(queryOf(url)) ?? (issuedAt && issuedAt.getTime() + lifetimeSeconds * 1000);
  const expiresAt = new Date(expiry ?? Number.NaN);
  return Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt;
}

/**
 * Whether a signed media URL no longer works, or will not within `marginSeconds`: read the memory again for a fresh one.
 *
 * A URL of which nothing is known counts as expired, since reading once too often loses nothing.
 *
 * @example
 * ```ts
 * if (isMediaUrlExpired(audioUrl, { marginSeconds: 60 })) console.log('Read the memory again.');
 * ```
 */
export function isMediaUrlExpired(url: string, options: MediaUrlExpiredOptions = {}): boolean {
  const { now = localClock.now(), issuedAt, marginSeconds = 0 } = options;
  const expiresAt = mediaUrlExpiresAt(url, { issuedAt });
  return !(expiresAt && now.getTime() + marginSeconds * 1000 < expiresAt.getTime());
}

/** The value of a parameter, or an empty text; its name in any case. */
type Query = (name: string) => string;

function queryOf(url: string): Query {
  const query = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(url)?.[1]);
  const values = new Map(Array.from(query, ([name, value]) => [name.toLowerCase(), value]));
  return (name) => values.get(name) ?? '';
}

/** In milliseconds; the earliest, where a URL is signed in several ways. */
function statedExpiry(query: Query): number | undefined {
  const expiries = [
    signedFor(query('x-amz-date'), query('x-amz-expires')),
    signedFor(query('x-goog-date'), query('x-goog-expires')),
    unixTime(query('expires')),
    unixTime(cloudFrontExpiry(query('policy'))),
    query('sig') === '' ? Number.NaN : isoTime(query('se')),
  ].filter((expiry) => !Number.isNaN(expiry));
  return expiries.length === 0 ? undefined : Math.min(...expiries);
}

/** A date such as `20261120T131415Z`, and seconds from it. */
function signedFor(date: string, seconds: string): number {
  const [, day, time] = /^(\d{8})T(\d{6})Z$/.exec(date) ?? [];
  if (day === undefined || time === undefined || !/^\d+$/.test(seconds)) return Number.NaN;
  const start = `${day.replace(/(....)(..)/, '$1-$2-')}T${time.replace(/(..)(..)/, '$1:$2:')}Z`;
  return Date.parse(start) + Number(seconds) * 1000;
}

/** Smaller numbers are lifetimes or versions, larger ones no seconds. */
function unixTime(seconds: string): number {
  return /^\d{9,11}$/.test(seconds) ? Number(seconds) * 1000 : Number.NaN;
}

/** A custom policy is JSON in CloudFront's own base64. */
function cloudFrontExpiry(policy: string): string {
  try {
    const json = atob(policy.replace(/[-_~]/g, (character) => ({ '-': '+', _: '=', '~': '/' })[character] ?? ''));
    return /"DateLessThan":\{"AWS:EpochTime":(\d+)\}/.exec(json.replace(/\s/g, ''))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Azure allows a date without a time; what names no zone is UTC. */
function isoTime(text: string): number {
  return parseDateTime(text) ?? parseDateTime(`${text}T00:00`) ?? Number.NaN;
}
