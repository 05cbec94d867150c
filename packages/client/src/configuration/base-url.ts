import { type BaseUrl, parseUrl, readBaseUrl } from '@memory-read/contract/base-url';
import { decodeEscapes } from '@memory-read/contract/redaction';
import type { AuthScheme } from '../client-options.ts';
import type { ConfigurationError } from '../errors/errors.ts';
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
  if (typeof address !== 'string') throw refuseUrl(rules, 'is neither a string nor a URL');
  const trimmed = address.trim();
  if (trimmed === '') throw refuseUrl(rules, 'is empty');
  if (!/^[a-z][a-z\d+.-]*:/i.test(trimmed)) return checkRelative(trimmed, rules);
  const { url, problem, host } = readBaseUrl(trimmed, rules.allowInsecureHttp);
  if (url !== undefined) return url;
  throw refuseUrl(rules, ...problems(host)[problem]);
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
  const page = (globalThis as { readonly location?: { readonly href: string } }).location?.href;
  const url = parseUrl(baseUrl.replace(/\/$/, '') + path, page);
  if (!url || !/^https?:/.test(url.protocol)) {
    const problem = 'baseUrl is relative, and there is no page to resolve it against';
    throw refuseOption('send the request', problem, 'Pass an absolute URL.', 'baseUrl');
  }
  return url.origin + url.pathname;
}

function checkRelative(address: string, rules: BaseUrlRules): string {
  if (rules.auth !== 'none') {
    const remedy = "Pass an absolute URL, or set auth: 'none'.";
    throw refuseUrl(rules, 'does not begin with https:// or http://', remedy);
  }
  const anywhere = 'https://anywhere.invalid';
  const url = parseUrl(address, anywhere);
  if (url?.origin !== anywhere) throw refuseUrl(rules, 'has a host but no scheme', 'Begin it with https://.');
  if (/[?#]/.test(address)) throw refuseUrl(rules, ...problems('').query);
  return address.replace(/\/+$/, '') || '/';
}

/** The parts can be secrets, so no message repeats them. */
const problems = (host: string): Record<NonNullable<BaseUrl['problem']>, [problem: string, remedy?: string]> => ({
  scheme: ['does not begin with https:// or http://'],
  syntax: ['is not a URL'],
  credentials: ['contains a user name or a password', 'Use the apiKey option or the headers option instead.'],
  query: ['contains a query or a fragment', 'Remove it.'],
  unencrypted: [
    `would send requests to ${host} unencrypted`,
    'Use https://, or set allowInsecureHttp if you trust the network.',
  ],
});

function refuseUrl({ source }: BaseUrlRules, problem: string, remedy = passRoot): ConfigurationError {
  return refuseOption('create the client', `${source} ${problem}`, remedy, 'baseUrl');
}
