import { type ProblemName, problems } from '@memory-read/contract/operations';

/** A response as a plain value, which `serve` sends without creating a `Response`. */
export interface PlainResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body. `null` means none. */
  readonly body: PlainBody;
}

/** A text, the parts of a body in order, or a stream. The bytes of parts are shared, so do not change them. */
export type PlainBody = null | string | readonly (string | Uint8Array<ArrayBuffer>)[] | ReadableStream<Uint8Array>;

/**
 * Joins the parts of a body, so that its length is known.
 *
 * @throws TypeError if a header is invalid.
 */
export async function toResponse(response: PlainResponse): Promise<Response> {
  const { body, ...init } = response;
  try {
    return new Response(isParts(body) ? await new Blob([...body]).arrayBuffer() : body, init);
  } catch (error) {
    cancelBody(response);
    throw error;
  }
}

/** Returns the response to HEAD, and releases what the body holds. */
export function withoutBody(response: PlainResponse): PlainResponse {
  cancelBody(response);
  return { ...response, body: null };
}

/** Releases what the body of a response holds that is not sent. */
export function cancelBody({ body }: Pick<PlainResponse, 'body'>): void {
  if (isStream(body)) body.cancel().catch(() => {});
}

function isParts(body: PlainBody): body is Extract<PlainBody, readonly unknown[]> {
  return Array.isArray(body);
}

export function isStream(body: PlainBody): body is ReadableStream<Uint8Array> {
  return 'getReader' in Object(body);
}

/** Returns a 200 of the API. Its body holds signed URLs, so caches must not store it. */
export function jsonResponse(body: PlainBody, requestId: string): PlainResponse {
  return { status: 200, headers: headersOf(requestId), body };
}

/** Returns the response for a problem of the contract. */
export function problemResponse(name: ProblemName, requestId: string): PlainResponse & { readonly body: string } {
  const { status, detail } = problems[name];
  const headers = { ...headersOf(requestId), ...headersOfStatus[status] };
  return { status, headers, body: JSON.stringify({ detail }) };
}

const headersOfStatus: Record<number, Record<string, string> | undefined> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'GET, HEAD' },
};

function headersOf(requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  };
}
