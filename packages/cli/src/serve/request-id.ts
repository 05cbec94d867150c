import { isRequestId } from '@memory-read/contract/operations';

/** The id in the request's `X-Request-Id` header where that is a sane one, else a new one; as the API does it. */
export function requestIdOf({ headers }: Request): string {
  const sent = headers.get('x-request-id') ?? '';
  return isRequestId(sent) ? sent : `req_${crypto.randomUUID()}`;
}
