import { assertOptions } from '../assert-options.ts';
import type { MediaUrlSigner } from '../ports/media-url-signer.ts';
import { mediaObjectProblem } from '../records/value-problems.ts';
import { createMediaKeyring, type MediaSecret, type SignedMediaGrant } from './media-keyring.ts';
import { mediaSigningError } from './media-signing-error.ts';

/** Options of {@link createHmacMediaSigner}. */
export interface HmacMediaSignerOptions {
  /** Base URL of the media host, such as `https://media.example.com`, with its base path if it has one. */
  baseUrl: string;
  /** Secrets of the media host. The first one signs. */
  secrets: readonly MediaSecret[];
}

/** A {@link MediaUrlSigner} whose `sign` returns the URL without a promise. */
export interface HmacMediaSigner extends MediaUrlSigner {
  /**
   * Returns a URL that works until `expiresAt`, rounded up to a whole second.
   *
   * @throws TypeError if the object key or the content type is invalid, or `expiresAt` is not a date since 1970.
   */
  sign(object: { objectKey: string; contentType: string; expiresAt: Date }): string;
}

/**
 * Returns a signer of media URLs for a media host with the same secrets. See section 2.1.1 of the specification.
 *
 * Printing the signer shows no secret.
 *
 * @throws TypeError if `baseUrl` is not an absolute http or https URL, or a secret is invalid.
 *
 * @example
 * ```ts
 * const mediaSigner = createHmacMediaSigner({ baseUrl: 'https://media.example.com', secrets });
 * const expiresAt = new Date(Date.now() + 3_600_000);
 * const url = mediaSigner.sign({ objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt });
 * ```
 */
export function createHmacMediaSigner(options: HmacMediaSignerOptions): HmacMediaSigner {
  const parts = { baseUrl: 'string', secrets: 'array' } as const;
  assertOptions('create a media signer', options, parts, 'Pass { baseUrl, secrets }');
  const base = normalisedBaseUrl(options.baseUrl);
  const keyring = createMediaKeyring(options.secrets);
  return {
    sign({ objectKey, contentType, expiresAt }) {
      const problem = mediaObjectProblem(objectKey, contentType);
      if (problem !== undefined) throw mediaSigningError(problem, 'Store an object that the media host can serve');
      const instant = expiresAt.getTime() / 1000;
      if (!(instant >= 0)) throw mediaSigningError(`expiresAt is ${String(expiresAt)}`, 'Pass a valid date since 1970');
      // Rounded down, the URL would expire before its hour has passed.
      const expires = Math.ceil(instant);
      return base + encodeMediaTarget(keyring.sign({ objectKey, contentType, expires }));
    },
  };
}

function normalisedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // In other schemes "user:password@host" can be a path, so a URL that may hold a password is not repeated.
  const hasNoCredentials = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  const plain = hasNoCredentials ? url.origin + url.pathname : undefined;
  if (plain !== undefined && plain === url?.href) return plain.replace(/\/$/, '');
  throw new TypeError(
    `Failed to create a media signer: ${baseUrlProblem(plain, url)}. Pass one like "https://media.example.com".`,
  );
}

function baseUrlProblem(plain: string | undefined, url: URL | undefined): string {
  if (plain === undefined) return 'the base URL is not an absolute http or https URL without credentials';
  return `the base URL ${JSON.stringify(plain)} has a ${url?.href.includes('?') ? 'query' : 'fragment'}`;
}

/** Returns path and query of a media URL: the object key, then the four parameters in a fixed order. */
export function encodeMediaTarget({ objectKey, contentType, expires, secretId, signature }: SignedMediaGrant): string {
  const path = encodeURIComponent(objectKey).replaceAll('%2F', '/');
  // URL parsers escape an apostrophe in a query, which would change the URL on its first use.
  const type = encodeURIComponent(contentType).replaceAll("'", '%27');
  return `/${path}?expires=${expires}&type=${type}&key=${secretId}&signature=${signature}`;
}
