import { type ProblemName, problems } from '@memory-read/contract/operations';
import { rememberText } from './whole-text.ts';

/** A 200 of the API. Its body holds signed URLs, so nothing between may keep it. */
export function jsonResponse(body: BodyInit | null, requestId: string): Response {
  const response = new Response(body, { status: 200, headers: headersOf(requestId) });
  return typeof body === 'string' ? rememberText(response, body) : response;
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
