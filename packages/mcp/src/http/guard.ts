/** Head of a request. */
export interface RequestHead {
  method: string;
  /** Path and query. */
  target: string;
  host: string | undefined;
  origin: string | undefined;
  contentLength: string | undefined;
}

/** Requests that a server accepts. */
export interface GuardSettings {
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  maxRequestBytes: number;
  /** Returns whether the credentials of a request are valid. */
  isAuthorized: () => boolean;
}

/** A response without a body. */
export interface Refusal {
  status: number;
  headers: Record<string, string>;
}

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Returns why a request is refused; undefined if it is accepted. */
export function guard(head: RequestHead, settings: GuardSettings): Refusal | undefined {
  const refuse = (status: number, headers: Record<string, string> = {}): Refusal => ({ status, headers });
  if (!isAllowedHost(head.host, settings.allowedHosts)) return refuse(403);
  if (head.origin !== undefined && !isAllowedOrigin(head.origin, settings.allowedOrigins)) return refuse(403);
  if (head.target !== '/mcp') return refuse(404);
  if (head.method !== 'POST') return refuse(405, { allow: 'POST' });
  if (!settings.isAuthorized()) return refuse(401, { 'www-authenticate': 'Bearer' });
  if (Number(head.contentLength ?? 0) > settings.maxRequestBytes) return refuse(413);
  return undefined;
}

/** Returns whether a name is a loopback name of this machine. */
export function isLoopback(hostname: string): boolean {
  return loopback.includes(hostname) || hostname === '::1';
}

function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  const url = host !== undefined && /^[\w.\-:[\]]+$/.test(host) ? parse(`http://${host}`) : undefined;
  if (url === undefined) return false;
  return loopback.includes(url.hostname) || allowed.some((name) => isSameHost(url, name));
}

/** A name without a port allows every port. */
function isSameHost(url: URL, name: string): boolean {
  const own = parse(`http://${name}`);
  return own?.port === '' ? own.hostname === url.hostname : own?.host === url.host;
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  const url = parse(origin);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.origin !== origin.toLowerCase()) return false;
  return loopback.includes(url.hostname) || allowed.some((name) => parse(name)?.origin === url.origin);
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
