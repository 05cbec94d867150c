import type { HeaderObject, ReferenceObject } from './open-api-document.ts';

/** The headers of the API's responses beyond those of every JSON response. */
export const headers = {
  'X-Request-Id': {
    description: 'Id of the request, to be quoted to support: the one that the caller sent, or a new one.',
    schema: { type: 'string' },
    example: 'req_9f86d081884c7d65000001',
  },
  'Cache-Control': {
    description: 'Forbids caches to keep the response: it is for one account, and its URLs are signed.',
    schema: { type: 'string' },
    example: 'private, no-store',
  },
  'WWW-Authenticate': {
    description: 'The recommended way to send the API key.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
} as const satisfies Record<string, HeaderObject>;

/** References to the headers of a response with this status. */
export function responseHeaders(status: number): Record<string, ReferenceObject> {
  const names = Object.keys(headers).filter((name) => name !== 'WWW-Authenticate' || status === 401);
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
