import type { MemoryRecord } from '@memory-read/contract';
import { refuseOptions } from '@memory-read/contract/options';
import { objectProblem } from './checks/assert-options.ts';
import { formatValue } from './checks/format-value.ts';

/** Options of a mock. */
export interface MemoryMockOptions {
  /**
   * Root URL of the API, without `/v1`. Default: `https://api.memory-read.test`.
   *
   * A path such as `/api` is resolved against the page and needs a `location`.
   */
  baseUrl?: string | undefined;
  /** Root URL of the media. Default: `media` below the base URL. */
  mediaUrl?: string | undefined;
  /**
   * Authentication: `'key'` requires an API key. `'none'` accepts requests without a key, as the default account.
   * Default: `'key'`.
   */
  auth?: 'key' | 'none' | undefined;
  /** Seed of the generated memories, keys and request ids. Default: 1. */
  seed?: number | string | undefined;
  /**
   * Time at which the clock stands still until you move it. A text without an offset is UTC. Default: the clock follows
   * `Date.now()`.
   *
   * With it, all responses are the same in every run, byte for byte. Without it, generated memories and request ids
   * still are.
   */
  now?: Date | string | undefined;
  /** Memories of the default account. Default: twelve generated ones. */
  memories?: readonly MemoryRecord[] | undefined;
}

/** Options with their defaults. Both URLs are absolute, without a trailing slash. */
export interface ResolvedOptions {
  baseUrl: string;
  mediaUrl: string;
  auth: 'key' | 'none';
  seed: number | string;
  now: Date | string | undefined;
  memories: readonly MemoryRecord[] | undefined;
}

/**
 * Returns the options with their defaults. `others` are the names of additional options.
 *
 * @throws a {@link TypeError} if an option is unknown or invalid.
 */
export function resolveOptions(options: MemoryMockOptions, others: readonly string[] = []): ResolvedOptions {
  assertNames(options, ['baseUrl', 'mediaUrl', ...stateNames, ...others]);
  const state = resolveState(options);
  const baseUrl = absoluteUrl('baseUrl', options.baseUrl ?? 'https://api.memory-read.test');
  const mediaUrl = absoluteUrl('mediaUrl', options.mediaUrl ?? `${baseUrl}/media`);
  if (isBelow(mediaUrl, baseUrl)) {
    throw optionError(
      `mediaUrl (${mediaUrl}) contains baseUrl (${baseUrl})`,
      `Pass a mediaUrl such as ${baseUrl}/media`,
    );
  }
  return { baseUrl, mediaUrl, ...state };
}

/** Returns the options of every mock with their defaults. */
export function resolveState(options: MemoryMockOptions): Omit<ResolvedOptions, 'baseUrl' | 'mediaUrl'> {
  const { auth = 'key', seed = 1, now, memories } = options;
  if (auth !== 'key' && auth !== 'none') {
    throw optionError(`auth is ${formatValue(auth)}, which is not supported`, "Use 'key' or 'none'");
  }
  if (typeof seed !== 'string' && !Number.isFinite(seed)) {
    throw optionError('seed is not a string or a finite number', 'Pass a string or a finite number');
  }
  if (memories !== undefined && !Array.isArray(memories)) {
    throw optionError('memories is not an array', 'Pass records, such as those from createMemories');
  }
  return { auth, seed, now, memories };
}

/** Returns whether a URL is the root or below it, without its query. */
export function isBelow(root: string, url: string): boolean {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}/`.startsWith(`${root}/`);
}

/** The options of every mock. */
export const stateNames = ['auth', 'seed', 'now', 'memories'];

/** @throws TypeError if an option is unknown. */
export function assertNames(options: object, names: readonly string[]): void {
  const problem = objectProblem({ name: 'the options argument', value: options });
  if (problem !== undefined) throw optionError(problem, 'Pass an object');
  const refused = refuseOptions(options, names);
  if (refused) throw optionError(refused.reason, refused.advice);
}

function absoluteUrl(option: string, url: string): string {
  if (typeof url !== 'string') {
    throw optionError(`${option} is ${formatValue(url)}, which is not a string`, 'Pass a URL');
  }
  const base = url.startsWith('/') ? pageAddress() : undefined;
  if (url.startsWith('/') && base === undefined) {
    throw optionError(
      `${option} is relative, and there is no page`,
      'Pass an absolute URL, or run in a browser or jsdom',
    );
  }
  const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
  const isPlain = parsed && /^https?:$/.test(parsed.protocol) && parsed.href === parsed.origin + parsed.pathname;
  if (isPlain) return parsed.href.replace(/\/+$/, '');
  // The URL is not repeated, because it may contain a password or a token.
  throw optionError(
    `${option} is not an http or https URL without credentials, query and fragment`,
    'Pass a URL such as https://api.example.com',
  );
}

/** Location of a page, a worker or jsdom. Node has none, and `about:blank` cannot be a base. */
export function pageAddress(): string | undefined {
  const { location } = globalThis as { location?: { href?: string } };
  return location?.href?.startsWith('http') ? location.href : undefined;
}

/** The error for an option that cannot be used. */
export function optionError(problem: string, advice: string): TypeError {
  return new TypeError(`Failed to create the mock: ${problem}. ${advice}.`);
}
