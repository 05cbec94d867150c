import { problemResponse } from '../http/responses.ts';
import type { MediaObject } from '../ports/media-source.ts';
import { type ByteRange, parseByteRange } from './byte-range.ts';

/** What an answer says beside the object itself. */
export interface MediaResponseContext {
  contentType: string;
  /** Seconds for which the URL still works. */
  maxAge: number;
  requestId: string;
}

/** An object, the range of it that was asked for, or the news that the caller has it already (RFC 9110, sections 13 and 14). */
export function mediaResponse(object: MediaObject, request: Request, context: MediaResponseContext): Response {
  const cacheHeaders = { etag: object.etag, 'cache-control': `private, max-age=${context.maxAge}` };
  if (hasEntity(request.headers.get('if-none-match'), object.etag)) {
    return new Response(null, { status: 304, headers: cacheHeaders });
  }
  const range = requestedRange(request, object);
  if (range === 'unsatisfiable') return unsatisfiableResponse(object, context.requestId);

  const headers = new Headers({ ...cacheHeaders, 'content-type': context.contentType, 'accept-ranges': 'bytes' });
  headers.set('content-length', String(range ? range.end - range.start + 1 : object.size));
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${object.size}`);
  const body = request.method === 'HEAD' ? null : object.stream(range);
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Weak comparison: `W/` makes no difference here. */
function hasEntity(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.match(/"[^"]*"/g)?.some((tag) => tag === etag) === true;
}

function requestedRange({ method, headers }: Request, object: MediaObject): ByteRange | 'unsatisfiable' | undefined {
  if (method === 'HEAD') return undefined;
  // A date and a weak tag prove nothing about bytes, so only the very same text lets two parts be put together.
  const ifRange = headers.get('if-range');
  if (ifRange !== null && ifRange !== object.etag) return undefined;
  return parseByteRange(headers.get('range'), object.size);
}

function unsatisfiableResponse(object: MediaObject, requestId: string): Response {
  const response = problemResponse('range-not-satisfiable', requestId);
  response.headers.set('content-range', `bytes */${object.size}`);
  return response;
}
