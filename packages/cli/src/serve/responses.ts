import { createHash } from 'node:crypto';
import { problems } from '@memory-read/contract/operations';
import type { PlainResponse } from '@memory-read/server';

const commonHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

const jsonHeaders = { ...commonHeaders, 'content-type': 'application/json', 'cache-control': 'no-store' };

export function jsonResponse(status: number, value: unknown): PlainResponse {
  return { status, headers: jsonHeaders, body: JSON.stringify(value) };
}

export function methodNotAllowed(): PlainResponse {
  const { status, detail } = problems['method-not-allowed'];
  return { status, headers: { ...jsonHeaders, allow: 'GET, HEAD' }, body: JSON.stringify({ detail }) };
}

export function redirect(location: string): PlainResponse {
  return { status: 302, headers: { ...commonHeaders, location }, body: null };
}

/** Returns a page whose bytes all requests share. */
export function jsonPage(value: unknown): PlainResponse {
  return { status: 200, headers: jsonHeaders, body: [Buffer.from(JSON.stringify(value))] };
}

/** Returns an icon that browsers keep for a day. */
export function iconResponse(svg: string): PlainResponse {
  const headers = { ...commonHeaders, 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' };
  return { status: 200, headers, body: [Buffer.from(svg)] };
}

/**
 * Returns a page that loads nothing from other hosts. It may use its own style and script, and media of its own host.
 */
export function htmlPage({ html, style, script }: { html: string; style: string; script: string }): PlainResponse {
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
  return { status: 200, headers, body: [Buffer.from(html)] };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
