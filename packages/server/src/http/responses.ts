import { type ProblemName, problems } from '@memory-read/contract/operations';

/** A 200 of the API. Its body holds signed URLs, so nothing between may keep it. */
export function jsonResponse(body: BodyInit | null, requestId: string): Response {
  return new Response(body, { status: 200, headers: headersOf(requestId) });
}

/** A problem of the contract as it goes over the wire. */
export function problemResponse(name: ProblemName, requestId: string): Response {
  const { status, detail } = problems[name];
  return new Response(JSON.stringify({ detail }), {
    status,
    headers: { ...headersOf(requestId), ...headersOfStatus[status] },
  });
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
