import { assertParts } from '../assert-options.ts';

/** Pages whose scripts may read media: `true` for all, `false` for none, or those of the given origins. */
export type MediaCors = boolean | { readonly origins: readonly string[] };

/** Returns the CORS headers of every response to a request with this `Origin`. */
export type CorsHeadersOf = (origin: string | null) => Record<string, string>;

/** @throws TypeError if an origin is not written as browsers send it. */
export function createCorsHeaders(cors: MediaCors): CorsHeadersOf {
  if (cors === false) return () => ({});
  if (cors === true) return () => headersFor('*');
  assertParts('create a media host', { cors }, { 'cors.origins': 'array' }, 'Pass true, false or { origins }');
  const origins = new Set(cors.origins.map(checkedOrigin));
  return (origin) => ({ ...(origin !== null && origins.has(origin) && headersFor(origin)), vary: 'Origin' });
}

/** Headers of the response to a preflight request, beside those of every response. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match',
  'access-control-max-age': '600',
};

function headersFor(allowedOrigin: string): Record<string, string> {
  return {
    'access-control-allow-origin': allowedOrigin,
    'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
  };
}

function checkedOrigin(origin: string): string {
  if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new TypeError(
    `Failed to create a media host: ${JSON.stringify(origin)} is not an origin. Pass one like "https://app.example.com", without a trailing slash.`,
  );
}
