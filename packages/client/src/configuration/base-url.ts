import { decodeEscapes } from '@memory-read/contract/redaction';
import type { AuthScheme } from '../client-options.ts';
import type { ConfigurationError } from '../errors/errors.ts';
import { parseUrl } from './parse-url.ts';
import { refuseOption } from './refuse-option.ts';

/** Options that decide which base URLs are allowed, and where the base URL comes from, for messages. */
export interface BaseUrlRules {
  readonly auth: AuthScheme;
  readonly allowInsecureHttp: boolean;
  readonly source: string;
}

const passRoot = 'Pass the root of the API, such as https://api.example.com.';

/**
 * Returns the base URL without a trailing slash, except for `/` alone. A relative URL is allowed only if no key is
 * sent.
 */
export function checkBaseUrl(value: unknown, rules: BaseUrlRules): string {
  // `instanceof` would reject a URL of another realm.
  const address: unknown = typeof value === 'object' ? (value as URL | null)?.href : value;
  if (typeof address !== 'string') throw refuseUrl(rules, 'is neither a string nor a URL', passRoot);
  const trimmed = address.trim();
  if (trimmed === '') throw refuseUrl(rules, 'is empty', passRoot);
  return hasScheme(trimmed) ? checkAbsolute(trimmed, rules) : checkRelative(trimmed, rules);
}

/** Whether two base URLs are the same without a trailing slash. */
export function isSameUrl(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((url) => parseUrl(String(url).trim())?.href.replace(/\/+$/, ''));
  return first !== undefined && first === second;
}

const SHORTEST_KEY = 8;

/** URLs are often logged. A shorter key could occur in a URL by chance. */
export function refuseKeyInUrl(baseUrl: string, apiKey: unknown, rules: BaseUrlRules): void {
  if (typeof apiKey !== 'string' || apiKey.length < SHORTEST_KEY) return;
  if (decodeEscapes(baseUrl).includes(decodeEscapes(apiKey)))
    throw refuseUrl(rules, 'contains the API key', 'Remove the key: the client sends it in a header.');
}

/** Returns the URL of a path below the base URL. A relative base URL is resolved against the page. */
export function requestUrl(baseUrl: string, path: string): string {
  if (/^https?:/.test(baseUrl)) return baseUrl + path;
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const url = page === undefined ? undefined : parseUrl(baseUrl.replace(/\/$/, '') + path, page);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const problem = 'baseUrl is relative, and there is no page to resolve it against';
    throw refuseOption('send the request', problem, 'Pass an absolute URL.', 'baseUrl');
  }
  return url.origin + url.pathname;
}

function checkAbsolute(address: string, rules: BaseUrlRules): string {
  const url = parseUrl(address);
  if (url === undefined) throw refuseUrl(rules, 'is not a URL', passRoot);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refuseUrl(rules, 'does not begin with https:// or http://', passRoot);
  refuseExtras(url, rules);
  if (url.protocol === 'http:' && !rules.allowInsecureHttp && !isLoopback(url.hostname)) {
    const remedy = 'Use https://, or set allowInsecureHttp if you trust the network.';
    throw refuseUrl(rules, `would send requests to ${url.host} unencrypted`, remedy);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function checkRelative(address: string, rules: BaseUrlRules): string {
  if (rules.auth !== 'none') {
    const remedy = "Pass an absolute URL, or set auth: 'none'.";
    throw refuseUrl(rules, 'does not begin with https:// or http://', remedy);
  }
  const anywhere = 'https://anywhere.invalid';
  const url = parseUrl(address, anywhere);
  if (url?.origin !== anywhere) throw refuseUrl(rules, 'has a host but no scheme', 'Begin it with https://.');
  refuseExtras(url, rules);
  return address.replace(/\/+$/, '') || '/';
}

/** The parts can be secrets, so the message does not repeat them. */
function refuseExtras(url: URL, rules: BaseUrlRules): void {
  if (url.username !== '' || url.password !== '') {
    const remedy = 'Use the apiKey option or the headers option instead.';
    throw refuseUrl(rules, 'contains a user name or a password', remedy);
  }
  if (/[?#]/.test(url.href)) throw refuseUrl(rules, 'contains a query or a fragment', 'Remove it.');
}

function hasScheme(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address);
}

/** Names below `localhost` do not count, because some resolvers send them to the network. */
function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function refuseUrl({ source }: BaseUrlRules, problem: string, remedy: string): ConfigurationError {
  return refuseOption('create the client', `${source} ${problem}`, remedy, 'baseUrl');
}
