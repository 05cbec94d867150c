import { createHash } from 'node:crypto';
import { problems } from '@memory-read/contract/operations';

const commonHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

export function jsonResponse(status: number, body: unknown): Response {
  const headers = { ...commonHeaders, 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(JSON.stringify(body), { status, headers });
}

export function methodNotAllowed(): Response {
  const { status, detail } = problems['method-not-allowed'];
  const response = jsonResponse(status, { detail });
  response.headers.set('allow', 'GET, HEAD');
  return response;
}

export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { ...commonHeaders, location } });
}

/** A page without scripts and without anything from elsewhere: all that it may use is its own style. */
export function htmlPage({ html, style }: { html: string; style: string }): () => Response {
  const styleHash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const headers = {
    ...commonHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy,
  };
  return () => new Response(html, { headers });
}
