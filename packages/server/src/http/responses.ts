import { type ProblemName, problems } from '@memory-read/contract/operations';
import { rememberBody, streamOf, type WholeBody } from './whole-body.ts';

/** A 200 of the API. Its body holds signed URLs, so nothing between may keep it. */
export function jsonResponse(body: WholeBody | ReadableStream<Uint8Array> | null, requestId: string): Response {
  const init = { status: 200, headers: headersOf(requestId) };
  if (body === null || body instanceof ReadableStream) return new Response(body, init);
  return rememberBody(new Response(typeof body === 'string' ? body : streamOf(body), init), body);
}

/** A problem of the contract as it goes over the wire. */
export function problemResponse(name: ProblemName, requestId: string): Response {
  const { body, ...init } = problemMessage(name, requestId);
  return new Response(body, init);
}

/** What a {@link problemResponse} is made of, for where there is no `Response`. */
export interface ProblemMessage {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function problemMessage(name: ProblemName, requestId: string): ProblemMessage {
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
