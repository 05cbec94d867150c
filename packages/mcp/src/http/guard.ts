import { isAllowedHost } from '@memory-read/contract/base-url';
import { corsHeaders, preflightHeaders } from './cors.ts';

/** Head of a request. */
export interface RequestHead {
  method: string;
  /** Path and query. */
  target: string;
  /** By their names in lower case. */
  headers: { [Name in 'host' | 'origin' | 'content-length' | 'access-control-request-headers']?: string | undefined };
}

/** Requests that a server accepts. */
export interface GuardSettings {
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  maxRequestBytes: number;
  /** Returns whether the credentials of a request are valid. */
  isAuthorized: () => boolean;
}

/** What the head of a request decides about its response. */
export interface Verdict {
  /** Status of a response without a body; undefined if the request is accepted. */
  status: number | undefined;
  headers: Record<string, string>;
}

/** Judges the head of a request. The headers belong to its response, also if the request is accepted. */
export function guard({ method, target, headers }: RequestHead, settings: GuardSettings): Verdict {
  const { host, origin } = headers;
  const shared: Record<string, string> = { vary: 'Origin' };
  const respond = (status: number | undefined, own: Record<string, string> = {}): Verdict => ({
    status,
    headers: { ...shared, ...own },
  });
  if (!isAllowedHost(host, settings.allowedHosts)) return respond(403);
  if (origin !== undefined) {
    if (origin !== `http://${host}` && !isAllowedOrigin(origin, settings.allowedOrigins)) return respond(403);
    Object.assign(shared, corsHeaders(origin));
  }
  if (target !== '/mcp' && target !== '/mcp/') return respond(404);
  // A browser sends no credentials with this question.
  if (method === 'OPTIONS' && origin !== undefined)
    return respond(204, preflightHeaders(headers['access-control-request-headers']));
  if (method !== 'POST') return respond(405, { allow: 'POST' });
  if (!settings.isAuthorized()) return respond(401, { 'www-authenticate': 'Bearer' });
  if (Number(headers['content-length'] ?? 0) > settings.maxRequestBytes) return respond(413);
  return respond(undefined);
}

/**
 * Returns whether a text is an origin, such as `https://app.example.com` or that of a browser extension. The parser of
 * URLs knows no origin of schemes such as `chrome-extension`.
 */
export function isOrigin(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/i.test(text) && parse(text) !== undefined;
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  return isOrigin(origin) && allowed.some((name) => normalOrigin(name) === normalOrigin(origin));
}

function normalOrigin(origin: string): string {
  const url = parse(origin);
  return url === undefined || url.origin === 'null' ? origin.toLowerCase() : url.origin;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
