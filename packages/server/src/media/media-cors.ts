/** Which pages may read media through scripts: none, all, or those of some origins. */
export type MediaCors = boolean | { readonly origins: readonly string[] };

/** The CORS headers of every answer to a request with this `Origin`. */
export type CorsHeadersOf = (origin: string | null) => Record<string, string>;

/** @throws TypeError when an origin is not spelled as browsers send it. */
export function createCorsHeaders(cors: MediaCors): CorsHeadersOf {
  if (cors === false) return () => ({});
  if (cors === true) return () => headersFor('*');
  const origins = new Set(cors.origins.map(checkedOrigin));
  return (origin) => ({ ...(origin !== null && origins.has(origin) && headersFor(origin)), vary: 'Origin' });
}

/** What a preflight is told beside the headers of every answer. */
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
    `Failed to create a media host: because ${JSON.stringify(origin)} is no origin. Pass one like "https://app.example.com", without a slash at its end.`,
  );
}
