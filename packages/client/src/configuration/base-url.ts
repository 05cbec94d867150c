import { readBaseUrl } from '@memory-read/contract/base-url';
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
  const read = readBaseUrl(address, rules.allowInsecureHttp);
  if (read.problem === undefined) return read.url;
  const problem = problems[read.problem];
  throw refuseUrl(
    rules,
    problem[0].replace('HOST', () => read.host),
    problem[1],
  );
}

function checkRelative(address: string, rules: BaseUrlRules): string {
  if (rules.auth !== 'none') {
    const remedy = "Pass an absolute URL, or set auth: 'none'.";
    throw refuseUrl(rules, 'does not begin with https:// or http://', remedy);
  }
  const anywhere = 'https://anywhere.invalid';
  const url = parseUrl(address, anywhere);
  if (url?.origin !== anywhere) throw refuseUrl(rules, 'has a host but no scheme', 'Begin it with https://.');
  if (/[?#]/.test(url.href)) throw refuseUrl(rules, ...problems.query);
  return address.replace(/\/+$/, '') || '/';
}

/** The parts can be secrets, so no message repeats them. */
const problems = {
  scheme: ['does not begin with https:// or http://', passRoot],
  syntax: ['is not a URL', passRoot],
  credentials: ['contains a user name or a password', 'Use the apiKey option or the headers option instead.'],
  query: ['contains a query or a fragment', 'Remove it.'],
  unencrypted: [
    'would send requests to HOST unencrypted',
    'Use https://, or set allowInsecureHttp if you trust the network.',
  ],
} as const;

function hasScheme(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address);
}

function refuseUrl({ source }: BaseUrlRules, problem: string, remedy: string): ConfigurationError {
  return refuseOption('create the client', `${source} ${problem}`, remedy, 'baseUrl');
}
