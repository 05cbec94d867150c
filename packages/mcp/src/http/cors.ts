/** Headers that clients of the protocol send from a page. */
const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
];
/** Revision 2026-07-28 copies arguments of tools into headers of such names. */
const parameterHeader = /^mcp-param-[\w-]+$/i;
const DAY = 86_400;

/** Returns the headers with which a page of an allowed origin can read a response. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Protocol-Version, Mcp-Session-Id, WWW-Authenticate',
  };
}

/** Returns the headers of the response to a preflight, which lists the names of the headers to send. */
export function preflightHeaders(requested: string | undefined): Record<string, string> {
  const parameters = (requested ?? '').split(',').map((name) => name.trim());
  return {
    // The page can then read that only POST is served. Clients try the others.
    'access-control-allow-methods': 'DELETE, GET, POST',
    'access-control-allow-headers': [
      ...requestHeaders,
      ...parameters.filter((name) => parameterHeader.test(name)),
    ].join(', '),
    'access-control-max-age': String(DAY),
  };
}
