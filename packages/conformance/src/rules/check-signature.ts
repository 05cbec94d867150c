import type { Evidence } from '../conformance-report.ts';
import type { Reader } from '../reading/create-reader.ts';
import { anyMedia, type MediaUrl, mediaUrls } from '../reading/media-urls.ts';
import { isUnanswered, SkippedError } from '../session/unanswered.ts';

/**
 * Checks that a media URL does not open its file without its signature, or with another one. A signature is usually in
 * the query, which is removed and then changed. A signature in the path is the part in which two URLs of one file
 * differ. The rule is skipped if no part looks like a signature.
 */
export async function checkSignature(reader: Reader): Promise<Evidence | undefined> {
  const media = await anyMedia(reader);
  const ours = new URL(media.url);
  const theirs = await othersOf(reader, media);
  const otherPath = theirs.find(({ pathname }) => pathname !== ours.pathname);
  if (ours.search === '') return judgePath(reader, media, otherPath);
  const expected = 'no access to the file without a valid signature';
  const bare = new URL(ours);
  bare.search = '';
  const without = await opening(reader, bare, `${placeOf(media)}, without its query`);
  if (without.isOpen) {
    if (otherPath) throw new SkippedError('media URLs may have their signature in the path');
    if (!isSigned(ours, theirs)) throw new SkippedError('the query of media URLs does not look like a signature');
    return { sent: without.sent, received: without.received, expected };
  }
  const forged = withForgedSignature(ours);
  if (forged === undefined || otherPath) return undefined;
  const forgery = await opening(reader, forged, `${placeOf(media)}, with another signature`);
  return forgery.isOpen ? { sent: forgery.sent, received: forgery.received, expected } : undefined;
}

/** Returns the URL with another signature in its query; undefined if no parameter is a known signature. */
export function withForgedSignature(url: URL): URL | undefined {
  const forged = new URL(url);
  forged.search = url.search.replace(
    /([?&](?:x-(?:amz|goog)-signature|signature|sig|hmac)=)([^&]+)/i,
    (_all, name, value) => {
      return `${name}${forge(value)}`;
    },
  );
  return forged.search === url.search ? undefined : forged;
}

/** A changed URL that still opens breaks no rule: the changed part may be the name of a server. */
async function judgePath(reader: Reader, media: MediaUrl, other: URL | undefined): Promise<undefined> {
  if (other === undefined) throw new SkippedError('media URLs have no query, and their paths do not differ');
  const ours = new URL(media.url);
  const others = other.pathname.split('/');
  const changed = ours.pathname.split('/').map((part, index) => (part === others[index] ? part : forge(part)));
  const forged = new URL(ours);
  forged.pathname = changed.join('/');
  const { isOpen } = await opening(reader, forged, `${placeOf(media)}, with a changed path`);
  if (isOpen) throw new SkippedError('media URLs have no query and no signature in their paths');
}

/** Returns the other URLs of the same file. */
async function othersOf(reader: Reader, { at, field, url }: MediaUrl): Promise<URL[]> {
  return mediaUrls(await reader.memories())
    .filter((each) => each.field === field && each.at.memory.id === at.memory.id && each.url !== url)
    .map((each) => new URL(each.url));
}

/** Skips the rule if the file cannot be reached, because the rule of its field reports that. */
async function opening(reader: Reader, url: URL, what: string) {
  try {
    const status = await reader.requestMedia(url.href, what);
    return { sent: `GET ${what}`, received: String(status), isOpen: status < 300 };
  } catch (error) {
    if (isUnanswered(error)) throw new SkippedError(`${error.sent} got no response: ${error.reason}`);
    throw error;
  }
}

/** Recognizes a signature by its name, or by a long value that differs between two URLs of the file. */
function isSigned({ searchParams }: URL, others: readonly URL[]): boolean {
  return [...searchParams].some(
    ([name, value]) =>
      /sig|token|hmac|hash|policy|hdn|auth|jwt/i.test(name) ||
      (value.length >= 16 && others.some((other) => other.searchParams.get(name) !== value)),
  );
}

/** Changes the first character to another letter, because the last one may encode unused bits. */
function forge(part: string): string {
  return (/^a/i.test(part) ? 'B' : 'A') + part.slice(1);
}

function placeOf({ at, field }: MediaUrl): string {
  return `${at.place}${field} of ${at.answer.sent}`;
}
