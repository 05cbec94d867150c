import type { MediaDownloadFailure } from '../errors/errors.ts';
import { headerOf, headersOf } from '../transport/header-of.ts';

/** The requested part of an object: its first byte, and what is known of the object so far. */
export interface RequestedPart {
  readonly byte: number;
  /** Null if the storage sends none; undefined before the first response. */
  readonly etag: string | null | undefined;
  readonly size: number | null;
}

/** A part of an object, up to its end unless the storage sends less. */
export interface MediaPart {
  readonly etag: string | null;
  readonly contentType: string | null;
  /** Bytes of the whole object. */
  readonly size: number | null;
  /** The position after the last byte of this part, if it is known. */
  readonly end: number | null;
  /** Whether an early end of the body would be noticed. */
  readonly isEndKnown: boolean;
}

/** Why a response ends the download. */
export interface Rejection {
  readonly reason: MediaDownloadFailure;
  readonly problem: string;
}

/** Whether storages respond with this status for an expired URL. Some only say that the object does not exist. */
export function mayBeExpired(status: number): boolean {
  return [400, 401, 403, 404, 410].includes(status);
}

/** Whether two parts with this tag belong to the same bytes. */
export function isStrongEtag(etag: unknown): etag is string {
  return typeof etag === 'string' && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag);
}

/** Returns the part in a response, or why it must not be delivered; undefined if the response has no part. */
export function readPart(response: Response, requested: RequestedPart): MediaPart | Rejection | undefined {
  const { status } = response;
  const headers = headersOf(response);
  if (![200, 206, 416].includes(status)) return undefined;
  if (status === 416) return readEmptyPart(headers, requested);
  // S3 still sends aws-chunked for some uploads, although it has decoded their bytes.
  const isPlain = /^(identity|aws-chunked)?$/i.test(headerOf(headers, 'content-encoding') ?? '');
  if (!isPlain) return invalid('the storage sent it with a Content-Encoding, so its bytes cannot be counted');
  const etag = headerOf(headers, 'etag');
  const isSame = requested.etag === undefined || requested.etag === etag;
  if (!isSame) return changed;
  if (status === 200 && requested.byte > 0) {
    return { reason: 'not_resumable', problem: 'the storage sent the whole file instead of the requested part' };
  }
  const { size, end } = status === 200 ? readLength(headers) : readContentRange(headers, requested.byte);
  if (Number.isNaN(end)) return invalid('the storage sent another part of the file than the requested one');
  if (requested.size !== null && size !== null && size !== requested.size) return changed;
  // Node 24 and older take the end of a connection that was to close for the end of a chunked body.
  const isClosing = /\bclose\b/i.test(headerOf(headers, 'connection') ?? '');
  const isEndKnown = end !== null || (!isClosing && /^chunked$/i.test(headerOf(headers, 'transfer-encoding') ?? ''));
  return { etag, contentType: headerOf(headers, 'content-type'), size: size ?? requested.size, end, isEndKnown };
}

const changed: Rejection = {
  reason: 'changed',
  problem: 'the file in the storage has changed since the download began',
};

function invalid(problem: string): Rejection {
  return { reason: 'invalid', problem };
}

type Extent = Pick<MediaPart, 'size' | 'end'>;

/** The part is empty if the object ends exactly at the requested byte. */
function readEmptyPart(headers: Headers, { byte, etag = null, size }: RequestedPart): MediaPart | Rejection {
  const sent = headerOf(headers, 'etag');
  const isSame = (sent ?? etag) === etag && (size ?? byte) === byte;
  if (byte === 0 || !isSame || headerOf(headers, 'content-range') !== `bytes */${byte}`) return changed;
  // Another file can have the same length.
  if (sent === null)
    return { reason: 'not_resumable', problem: 'the storage did not say whether the file is the same' };
  return { etag, contentType: null, size: byte, end: byte, isEndKnown: true };
}

function readLength(headers: Headers): Extent {
  const length = headerOf(headers, 'content-length');
  const size = length !== null && /^\d+$/.test(length) ? Number(length) : null;
  return { size, end: size };
}

/** Reads the range; its end is NaN if it is not the requested range. */
function readContentRange(headers: Headers, byte: number): Extent {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headerOf(headers, 'content-range') ?? '') ?? [];
  const [end, size] = [Number(last) + 1, total === '*' ? null : Number(total)];
  // A request without a range must not get a part.
  const isFitting = byte > 0 && Number(first) === byte && end > byte && end <= (size ?? end);
  return { size, end: isFitting ? end : Number.NaN };
}
