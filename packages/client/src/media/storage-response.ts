import type { MediaDownloadFailure } from '../errors/media-download-error.ts';

/** What is asked of the storage: an object from a byte on, and what is known of that object by now. */
export interface Wanted {
  readonly byte: number;
  /** Null where the storage tells none; undefined where nothing is known yet. */
  readonly etag: string | null | undefined;
  readonly size: number | null;
}

/** A part of an object, to its end unless the storage sends less. */
export interface MediaPart {
  readonly etag: string | null;
  readonly contentType: string | null;
  /** Bytes of the whole object. */
  readonly size: number | null;
  /** The byte behind the last one of this part, where it is known. */
  readonly end: number | null;
  /** Whether an early end of the body would be noticed. */
  readonly isEndKnown: boolean;
}

/** Why an answer ends the download. */
export interface Refusal {
  readonly reason: MediaDownloadFailure;
  readonly problem: string;
}

/** How storages refuse an expired URL: some say so, some only that there is nothing. */
export function mayBeExpired(status: number): boolean {
  return [400, 401, 403, 404, 410].includes(status);
}

/** Whether two parts with this tag are parts of the same bytes. */
export function isStrongEtag(etag: unknown): etag is string {
  return typeof etag === 'string' && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag);
}

/** The part that an answer brings, or why none of it may be delivered; undefined where it brings none. */
export function readPart({ status, headers }: Response, wanted: Wanted): MediaPart | Refusal | undefined {
  if (![200, 206, 416].includes(status)) return undefined;
  if (status === 416) return readEmptyPart(headers, wanted);
  // S3 keeps aws-chunked from some uploads, whose bytes it has decoded long since.
  const isPlain = /^(identity|aws-chunked)?$/i.test(headers.get('content-encoding') ?? '');
  if (!isPlain) return invalid('the storage sends it encoded, so that its bytes cannot be counted');
  const etag = headers.get('etag');
  const isSame = wanted.etag === undefined || wanted.etag === etag;
  if (!isSame) return changed;
  if (status === 200 && wanted.byte > 0) {
    return { reason: 'not_resumable', problem: 'the storage sends the whole of it where the rest was asked for' };
  }
  const { size, end } = status === 200 ? readLength(headers) : readContentRange(headers, wanted.byte);
  if (Number.isNaN(end)) return invalid('the storage sends another part of it than was asked for');
  if (wanted.size !== null && size !== null && size !== wanted.size) return changed;
  const isEndKnown = end !== null || headers.has('transfer-encoding');
  return { etag, contentType: headers.get('content-type'), size: size ?? wanted.size, end, isEndKnown };
}

const changed: Refusal = { reason: 'changed', problem: 'it is not the object any more that it was at the beginning' };

function invalid(problem: string): Refusal {
  return { reason: 'invalid', problem };
}

type Extent = Pick<MediaPart, 'size' | 'end'>;

/** Nothing is left where the object ends exactly at the byte that was asked for. */
function readEmptyPart(headers: Headers, { byte, etag = null, size }: Wanted): MediaPart | Refusal {
  const isSame = (headers.get('etag') ?? etag) === etag && (size ?? byte) === byte;
  if (byte === 0 || !isSame || headers.get('content-range') !== `bytes */${byte}`) return changed;
  return { etag, contentType: null, size: byte, end: byte, isEndKnown: true };
}

function readLength(headers: Headers): Extent {
  const length = headers.get('content-length');
  const size = length !== null && /^\d+$/.test(length) ? Number(length) : null;
  return { size, end: size };
}

/** The end is NaN where the range is not the one asked for. */
function readContentRange(headers: Headers, byte: number): Extent {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '') ?? [];
  const [end, size] = [Number(last) + 1, total === '*' ? null : Number(total)];
  // Without a range in the request there is no part in the answer.
  const isFitting = byte > 0 && Number(first) === byte && end > byte && end <= (size ?? end);
  return { size, end: isFitting ? end : Number.NaN };
}
