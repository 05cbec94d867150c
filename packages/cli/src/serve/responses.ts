import { createHash } from 'node:crypto';
import { problems } from '@memory-read/contract/operations';

const commonHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const jsonHeaders = { ...commonHeaders, 'content-type': 'application/json', 'cache-control': 'no-store' };

export function jsonResponse(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: jsonHeaders });
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

/** A response whose body never changes: its bytes are shared by all requests. */
export interface FixedPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function jsonPage(body: unknown): FixedPage {
  return { headers: jsonHeaders, bytes: Buffer.from(JSON.stringify(body)) };
}

/**
 * Returns a page that loads nothing from other hosts. It may use its own style and script, and media of its own host.
 */
export function htmlPage({ html, style, script }: { html: string; style: string; script: string }): FixedPage {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "media-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Text cannot become HTML, not even by mistake.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const headers = {
    ...commonHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy,
  };
  return { headers, bytes: Buffer.from(html) };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
