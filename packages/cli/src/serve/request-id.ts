// A key in the wrong header must not come back.
const saneRequestId = /^(?!.*mrk_)[\w.~:+/=-]{1,128}$/i;

/** The id in the request's `X-Request-Id` header where that is a sane one, else a new one; as the API does it. */
export function requestIdOf({ headers }: Request): string {
  const sent = headers.get('x-request-id') ?? '';
  return saneRequestId.test(sent) ? sent : `req_${crypto.randomUUID()}`;
}
