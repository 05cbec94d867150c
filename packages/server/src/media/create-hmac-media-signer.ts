import type { MediaUrlSigner } from '../ports/media-url-signer.ts';
import { createMediaKeyring, type MediaSecret } from './media-keyring.ts';
import { mediaSigningError } from './media-signing-error.ts';
import { encodeMediaTarget, mediaObjectProblem } from './media-target.ts';

/** What {@link createHmacMediaSigner} signs with. */
export interface HmacMediaSignerOptions {
  /** Where the media host is reached, such as `https://media.example.com`; with its base path, if it has one. */
  baseUrl: string;
  /** The first signs; the others are those that the media host still accepts. */
  secrets: readonly MediaSecret[];
}

/** A {@link MediaUrlSigner} that needs no waiting. */
export interface HmacMediaSigner extends MediaUrlSigner {
  /**
   * The URL, which works until `expiresAt`, or to the end of a second that this lies in.
   *
   * @throws TypeError when the object key or the content type is none, or the expiry is no date since 1970.
   */
  sign(object: { objectKey: string; contentType: string; expiresAt: Date }): string;
}

/**
 * Signs media URLs for a media host that has the same secrets. See section 2.1.1 of the specification.
 *
 * Nothing of a secret shows when the signer is printed.
 *
 * @throws TypeError when the base URL is not an absolute one of http or https, or a secret cannot be used.
 *
 * @example
 * ```ts
 * const mediaSigner = createHmacMediaSigner({ baseUrl: 'https://media.example.com', secrets });
 * const expiresAt = new Date(Date.now() + 3_600_000);
 * const url = mediaSigner.sign({ objectKey: 'mem_1/audio.wav', contentType: 'audio/wav', expiresAt });
 * ```
 */
export function createHmacMediaSigner({ baseUrl, secrets }: HmacMediaSignerOptions): HmacMediaSigner {
  const base = normalisedBaseUrl(baseUrl);
  const keyring = createMediaKeyring(secrets);
  return {
    sign({ objectKey, contentType, expiresAt }) {
      const problem = mediaObjectProblem(objectKey, contentType);
      if (problem !== undefined) throw mediaSigningError(problem, 'Store an object that the media host can serve');
      const instant = expiresAt.getTime() / 1000;
      if (!(instant >= 0)) throw mediaSigningError(`expiresAt is ${String(expiresAt)}`, 'Pass a valid date since 1970');
      // Rounded down, the URL would not work for all of its hour.
      const expires = Math.ceil(instant);
      return base + encodeMediaTarget(keyring.sign({ objectKey, contentType, expires }));
    },
  };
}

function normalisedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // Of another scheme, "user:password@host" is a URL as well: what may hold a password or a token is not repeated.
  const hasNoCredentials = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  const plain = hasNoCredentials ? url.origin + url.pathname : undefined;
  if (plain !== undefined && plain === url?.href) return plain.replace(/\/$/, '');
  throw new TypeError(
    `Failed to create a media signer: because ${baseUrlProblem(plain, url)}. Pass one like "https://media.example.com".`,
  );
}

function baseUrlProblem(plain: string | undefined, url: URL | undefined): string {
  if (plain === undefined) return 'the base URL is not an absolute http or https URL without credentials';
  return `the base URL ${JSON.stringify(plain)} is followed by a ${url?.href.includes('?') ? 'query' : 'fragment'}`;
}
