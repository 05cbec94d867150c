import { problemResponse } from '../http/answers.ts';
import type { MediaObject } from '../ports/media-source.ts';
import { type ByteRange, parseByteRange } from './byte-range.ts';
import { startBody } from './start-body.ts';

/** What an answer says beside the object itself. */
export interface MediaResponseContext {
  contentType: string;
  /** Seconds for which the URL still works. */
  maxAge: number;
  requestId: string;
  /** Told of a body that fails once the answer has begun. */
  reportError: (error: unknown) => void;
}

/**
 * An object, the range of it that was asked for, or the news that the caller has it already or means another
 * (RFC 9110, sections 13 and 14). Rejects when the first bytes cannot be read.
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
  // Weak comparison: `W/` makes no difference here.
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

/** Whether a list of entity tags, in which a comma between quotes separates nothing, names one of these. */
function isListed(list: string, tags: readonly string[]): boolean {
  if (list.trim() === '*') return true;
  return list.match(/(?:[^,"]|"[^"]*")+/g)?.some((element) => tags.includes(element.trim())) === true;
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
