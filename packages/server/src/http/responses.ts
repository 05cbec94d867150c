import { type ProblemName, problems } from '@memory-read/contract/operations';
import { type MakeResponse, toResponse, type WholeAnswer } from './whole-answer.ts';
import type { WholeBody } from './whole-body.ts';

/** A 200 of the API. Its body holds signed URLs, so nothing between may keep it. */
export function jsonResponse(
  body: WholeBody | ReadableStream<Uint8Array> | null,
  requestId: string,
  make: MakeResponse = toResponse,
): Response {
  const headers = headersOf(requestId);
  const isStream = body === null || body instanceof ReadableStream;
  return isStream ? new Response(body, { status: 200, headers }) : make({ status: 200, headers, body });
}

/** A problem of the contract as it goes over the wire. */
export function problemResponse(name: ProblemName, requestId: string, make: MakeResponse = toResponse): Response {
  return make(problemAnswer(name, requestId));
}

/** What a {@link problemResponse} is made of, for where there is no `Response`. */
export function problemAnswer(name: ProblemName, requestId: string): WholeAnswer<string> {
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
