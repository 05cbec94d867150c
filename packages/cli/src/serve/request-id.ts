import { isRequestId } from '@memory-read/contract/operations';

/** Returns the request's `X-Request-Id` if a server may use it, otherwise a new id, as the API does. */
export function requestIdOf({ headers }: Request): string {
  const sent = headers.get('x-request-id') ?? '';
  return isRequestId(sent) ? sent : `req_${crypto.randomUUID()}`;
}
