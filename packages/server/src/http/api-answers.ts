import { type ProblemName, problems } from '@memory-read/contract/operations';
import { type Answer, type AnswerBody, toResponse } from './answer.ts';

/** Returns a 200 of the API. Its body holds signed URLs, so caches must not store it. */
export function jsonAnswer(body: AnswerBody, requestId: string): Answer {
  return { status: 200, headers: headersOf(requestId), body };
}

/** Returns the response for a problem of the contract. */
export function problemAnswer(name: ProblemName, requestId: string): Answer & { readonly body: string } {
  const { status, detail } = problems[name];
  const headers = { ...headersOf(requestId), ...headersOfStatus[status] };
  return { status, headers, body: JSON.stringify({ detail }) };
}

export function problemResponse(name: ProblemName, requestId: string): Response {
  return toResponse(problemAnswer(name, requestId));
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
