import { type PlainBody, type PlainResponse, problemResponse } from '../http/plain-response.ts';
import { type BodyScope, type Chunks, startBody } from '../http/start-body.ts';
import type { MediaObject } from '../ports/media-source.ts';
import { type ByteRange, parseByteRange } from './byte-range.ts';

/** Values of the response that do not come from the object. */
export interface MediaResponseContext extends BodyScope {
  contentType: string;
  /** Remaining lifetime of the URL, in seconds. */
  maxAge: number;
  requestId: string;
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
): Promise<PlainResponse> {
  const { contentType, requestId } = context;
  const cacheHeaders = { etag: object.etag, 'cache-control': `private, max-age=${context.maxAge}` };
  const ifMatch = request.headers.get('if-match');
  if (ifMatch !== null && !isListed(ifMatch, [object.etag])) return problemResponse('precondition-failed', requestId);
  const ifNoneMatch = request.headers.get('if-none-match');
  // This comparison is weak: `W/` makes no difference.
  if (ifNoneMatch !== null && isListed(ifNoneMatch, [object.etag, `W/${object.etag}`])) {
    return { status: 304, headers: cacheHeaders, body: null };
  }
  const range = requestedRange(request, object);
  if (range === 'unsatisfiable') return unsatisfiableResponse(object, requestId);

  const length = range ? range.end - range.start + 1 : object.size;
  const headers = {
    ...cacheHeaders,
    'content-type': contentType,
    'accept-ranges': 'bytes',
    'content-length': `${length}`,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${object.size}` }),
  };
  const body = request.method === 'HEAD' ? null : await bodyOf(object.stream(range), length, context);
  return { status: range ? 206 : 200, headers, body };
}

async function bodyOf(stream: ReadableStream<Uint8Array>, length: number, scope: BodyScope): Promise<PlainBody> {
  const body = await startBody(chunksOf(stream.getReader(), length), scope);
  return body instanceof Uint8Array ? [body] : body;
}

/** The chunk that completes the length is the last one, so that nothing stays open after it. */
function chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>, length: number): Chunks {
  let remaining = length;
  let hasEnded = false;
  return {
    async next() {
      const { value, done } = await reader.read();
      // A cancelled source ends early, too.
      if (hasEnded) return { done: true };
      remaining -= value?.byteLength ?? 0;
      if (remaining < 0 || (done && remaining > 0)) {
        const difference = remaining < 0 ? 'more' : 'fewer';
        throw new Error(
          `Failed to read media: the source sent ${difference} bytes than its size. Check the size of the object.`,
        );
      }
      return { value: value as Uint8Array<ArrayBuffer> | undefined, done: done || remaining === 0 };
    },
    return(reason) {
      hasEnded = true;
      return reader.cancel(reason);
    },
  };
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

function unsatisfiableResponse(object: MediaObject, requestId: string): PlainResponse {
  const response = problemResponse('range-not-satisfiable', requestId);
  return { ...response, headers: { ...response.headers, 'content-range': `bytes */${object.size}` } };
}
