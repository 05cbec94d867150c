import { parseDateTime, systemClock } from '@memory-read/contract/date-time';

/** Options of {@link mediaUrlExpiresAt}. */
export interface MediaUrlExpiryOptions {
  /** Time at which the response that holds the URL was created. Default: unknown. */
  readonly issuedAt?: Date | undefined;
  /**
   * Lifetime of a URL that does not state its own expiry, in milliseconds. Default: 3,600,000 (1 hour; section 8 of the
   * specification).
   */
  readonly lifetime?: number | undefined;
}

/** Options of {@link isMediaUrlExpired}. */
export interface MediaUrlExpiredOptions {
  /** Current time. Default: the local time. */
  readonly now?: Date | undefined;
  /** Time at which the response that holds the URL was created. Default: unknown. */
  readonly issuedAt?: Date | undefined;
  /** Safety margin in milliseconds: a URL counts as expired this long before its expiry. Default: 0. */
  readonly margin?: number | undefined;
}

const LIFETIME = 3_600_000;

/**
 * Returns when a signed media URL expires, by the clock of the server; undefined if that is unknown.
 *
 * The expiry that the URL states is used first: the formats of AWS, Google, CloudFront, Azure and the reference server
 * are supported. Any other URL expires one hour after `issuedAt`. See section 2.1, rule 1, of the specification.
 *
 * @example
 * ```ts
 * const expiresAt = mediaUrlExpiresAt(audioUrl, { issuedAt: new Date() });
 * console.log(`It plays until ${expiresAt?.toISOString()}.`);
 * ```
 */
export function mediaUrlExpiresAt(url: string, options: MediaUrlExpiryOptions = {}): Date | undefined {
  const { issuedAt, lifetime = LIFETIME } = options;
  const expiry = statedExpiry(queryOf(url)) ?? (issuedAt && issuedAt.getTime() + lifetime);
  const expiresAt = new Date(expiry ?? Number.NaN);
  return Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt;
}

/**
 * Returns whether a signed media URL has expired, or will expire within `margin`.
 *
 * If it has expired, read the memory again for a fresh URL. A URL with an unknown expiry counts as expired. See section
 * 2.1, rule 1, of the specification.
 *
 * @example
 * ```ts
 * if (isMediaUrlExpired(audioUrl, { margin: 60_000 })) console.log('Read the memory again.');
 * ```
 */
export function isMediaUrlExpired(url: string, options: MediaUrlExpiredOptions = {}): boolean {
  const { now = systemClock.now(), issuedAt, margin = 0 } = options;
  const expiresAt = mediaUrlExpiresAt(url, { issuedAt });
  return !(expiresAt && now.getTime() + margin < expiresAt.getTime());
}

/** Returns the value of a parameter, or an empty text. Names are not case-sensitive. */
type Query = (name: string) => string;

function queryOf(url: string): Query {
  const query = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(url)?.[1]);
  const values = new Map(Array.from(query, ([name, value]) => [name.toLowerCase(), value]));
  return (name) => values.get(name) ?? '';
}

/** Returns milliseconds since 1970. If a URL is signed in several ways, the earliest expiry counts. */
function statedExpiry(query: Query): number | undefined {
  const expiries = [
    signedFor(query('x-amz-date'), query('x-amz-expires')),
    signedFor(query('x-goog-date'), query('x-goog-expires')),
    unixTime(query('expires')),
    unixTime(cloudFrontExpiry(query('policy'))),
    query('sig') === '' ? Number.NaN : isoTime(query('se')),
  ].filter((expiry) => !Number.isNaN(new Date(expiry).getTime()));
  return expiries.length === 0 ? undefined : Math.min(...expiries);
}

/** Parses a date such as `20261120T131415Z`, and adds seconds to it. */
function signedFor(date: string, seconds: string): number {
  const start = date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5');
  return /^\d+$/.test(seconds) ? isoTime(start) + Number(seconds) * 1000 : Number.NaN;
}

/** Smaller numbers are lifetimes or versions, and larger ones are not seconds. */
function unixTime(seconds: string): number {
  return /^\d{9,11}$/.test(seconds) ? Number(seconds) * 1000 : Number.NaN;
}

/** A custom policy is JSON in a base64 variant of CloudFront. */
function cloudFrontExpiry(policy: string): string {
  try {
    const json = atob(policy.replace(/[-_~]/g, (character) => '+=/'['-_~'.indexOf(character)] ?? ''));
    return /"DateLessThan":\{"AWS:EpochTime":(\d+)\}/.exec(json.replace(/\s/g, ''))?.[1] ?? '';
  } catch {
    return '';
  }
}

/** Azure allows a date without a time. A time without a zone is UTC. */
function isoTime(text: string): number {
  return parseDateTime(text) ?? parseDateTime(`${text}T00:00`) ?? Number.NaN;
}
