import { problemResponse } from '../http/api-answers.ts';
import type { MediaObject } from '../ports/media-source.ts';
import { type ByteRange, parseByteRange } from './byte-range.ts';
import { startBody } from './start-body.ts';

/** Values of the response that do not come from the object. */
export interface MediaResponseContext {
  contentType: string;
  /** Remaining lifetime of the URL, in seconds. */
  maxAge: number;
  requestId: string;
  /** Reports a body that fails after the response has begun. */
  reportError: (error: unknown) => void;
}

/**
 * Returns the object, the requested range, or a 304 or 412 (RFC 9110, sections 13 and 14).
 *
 * @throws Error if the first bytes cannot be read.
 */
export async function mediaResponse(
  object: MediaObject,
  request: Request,
  context: MediaResponseContext,
): Promise<Response> {
  const { contentType, requestId, reportError } = context;
  const cacheHeaders = { etag: object.etag, 'cache-control': `private, max-age=${context.maxAge}` };
  const ifMatch = request.headers.get('if-match');
  if (ifMatch !== null && !isListed(ifMatch, [object.etag])) return problemResponse('precondition-failed', requestId);
  const ifNoneMatch = request.headers.get('if-none-match');
  // This comparison is weak: `W/` makes no difference.
  if (ifNoneMatch !== null && isListed(ifNoneMatch, [object.etag, `W/${object.etag}`])) {
    return new Response(null, { status: 304, headers: cacheHeaders });
  }
  const range = requestedRange(request, object);
  if (range === 'unsatisfiable') return unsatisfiableResponse(object, requestId);

  const headers = new Headers({ ...cacheHeaders, 'content-type': contentType, 'accept-ranges': 'bytes' });
  headers.set('content-length', String(range ? range.end - range.start + 1 : object.size));
  if (range) headers.set('content-range', `bytes ${range.start}-${range.end}/${object.size}`);
  const { method, signal } = request;
  const body = method === 'HEAD' ? null : await startBody(object.stream(range), { signal, reportError });
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** Returns whether a list of entity tags names one of `tags`. A comma between quotes does not separate tags. */
function isListed(list: string, tags: readonly string[]): boolean {
  if (list.trim() === '*') return true;
  return list.match(/(?:[^,"]|"[^"]*")+/g)?.some((element) => tags.includes(element.trim())) === true;
}

function requestedRange({ method, headers }: Request, object: MediaObject): ByteRange | 'unsatisfiable' | undefined {
  if (method === 'HEAD') return undefined;
  // A date and a weak tag do not identify bytes, so two parts are only combined if the tags are identical.
  const ifRange = headers.get('if-range');
  if (ifRange !== null && ifRange !== object.etag) return undefined;
  return parseByteRange(headers.get('range'), object.size);
}

function unsatisfiableResponse(object: MediaObject, requestId: string): Response {
  const response = problemResponse('range-not-satisfiable', requestId);
  response.headers.set('content-range', `bytes */${object.size}`);
  return response;
}
