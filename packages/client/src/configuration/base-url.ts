import { decodeEscapes } from '@memory-read/contract/redaction';
import type { AuthScheme } from '../client-options.ts';
import type { ConfigurationError } from '../errors/errors.ts';
import { readEnvironment } from './environment.ts';
import { OptionChecks } from './option-checks.ts';
import { parseUrl } from './parse-url.ts';

/** Options that decide which base URLs are allowed. */
export interface BaseUrlRules {
  readonly auth: AuthScheme;
  readonly allowInsecureHttp: boolean;
}

/**
 * Returns the base URL without a trailing slash, except for `/` alone. A relative URL is allowed only if no key is
 * sent.
 */
export function checkBaseUrl(value: string | URL, rules: BaseUrlRules): string {
  const address = addressOf(value).trim();
  if (address === '')
    throw refuseUrl(address, 'is empty', 'Pass the root of the API, such as https://api.example.com.');
  return hasScheme(address) ? checkAbsolute(address, rules) : checkRelative(address, rules);
}

/** Whether two base URLs are the same without a trailing slash. */
export function isSameUrl(one: string | URL, other: string | URL): boolean {
  const [first, second] = [one, other].map((url) => parseUrl(String(url).trim())?.href.replace(/\/+$/, ''));
  return first !== undefined && first === second;
}

const SHORTEST_KEY = 8;

/** URLs are often logged. A shorter key could occur in a URL by chance. */
export function refuseKeyInUrl(baseUrl: string, apiKey: unknown): void {
  if (typeof apiKey !== 'string' || apiKey.length < SHORTEST_KEY) return;
  if (decodeEscapes(baseUrl).includes(decodeEscapes(apiKey))) {
    throw refuseUrl(baseUrl, 'contains the API key', 'Remove the key: the client sends it in a header.');
  }
}

/** Returns the URL of a path below the base URL. A relative base URL is resolved against the page. */
export function requestUrl(baseUrl: string, path: string): string {
  if (hasScheme(baseUrl)) return baseUrl + path;
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const url = page === undefined ? undefined : parseUrl(baseUrl.replace(/\/$/, '') + path, page);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw refuseUrl(
      baseUrl,
      'is relative, and there is no page to resolve it against',
      'Pass an absolute URL.',
      'send the request',
    );
  }
  return url.origin + url.pathname;
}

function checkAbsolute(address: string, { allowInsecureHttp }: BaseUrlRules): string {
  const url = parseUrl(address);
  if (url === undefined)
    throw refuseUrl(address, 'is not a URL', 'Pass the root of the API, such as https://api.example.com.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw refuseUrl(
      address,
      'does not begin with https:// or http://',
      'Pass the root of the API, such as https://api.example.com.',
    );
  }
  refuseExtras(url);
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw refuseUrl(
      address,
      `would send requests to ${url.host} unencrypted`,
      'Use https://, or set allowInsecureHttp if you trust the network.',
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function checkRelative(address: string, { auth }: BaseUrlRules): string {
  if (auth !== 'none')
    throw refuseUrl(address, 'does not begin with https:// or http://', "Pass an absolute URL, or set auth: 'none'.");
  const anywhere = 'https://anywhere.invalid';
  const url = parseUrl(address, anywhere);
  if (url?.origin !== anywhere) throw refuseUrl(address, 'has a host but no scheme', 'Begin it with https://.');
  refuseExtras(url);
  return address.replace(/\/+$/, '') || '/';
}

/** The parts can be secrets, so the message does not repeat them. */
function refuseExtras(url: URL): void {
  if (url.username !== '' || url.password !== '') {
    throw refuseUrl(url, 'contains a user name or a password', 'Use the apiKey option or the headers option instead.');
  }
  if (/[?#]/.test(url.href)) throw refuseUrl(url, 'contains a query or a fragment', 'Remove it.');
}

function hasScheme(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address);
}

/** Names below `localhost` do not count, because some resolvers send them to the network. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** `instanceof` would reject a URL of another realm. */
function addressOf(value: string | URL): string {
  const address: unknown = typeof value === 'object' ? value.href : value;
  if (typeof address === 'string') return address;
  throw refuseUrl('', 'is neither a string nor a URL', 'Pass the root of the API, such as https://api.example.com.');
}

function refuseUrl(
  baseUrl: string | URL,
  problem: string,
  remedy: string,
  action = 'create the client',
): ConfigurationError {
  return new OptionChecks(action).refuse(`${addressSource(baseUrl)} ${problem}`, remedy, 'baseUrl');
}

/** Returns where the base URL comes from, for messages. */
export function addressSource(baseUrl: string | URL): string {
  const url = readEnvironment('MEMORY_API_URL');
  return url && (baseUrl === url.trim() || isSameUrl(baseUrl, url)) ? 'MEMORY_API_URL' : 'baseUrl';
}
