import { longestTimer } from '@memory-read/contract/event-loop';
import { refuseNumber, refuseOptions } from '@memory-read/contract/options';
import type { RuleResult } from './conformance-report.ts';
import type { Profile } from './profile.ts';

/** Options of {@link runConformance}. */
export interface ConformanceOptions {
  /** Root of the API, without `/v1`. */
  baseUrl: string | URL;
  /** API key of an account, ideally with memories of every kind. It is enough for most rules. */
  apiKey: string;
  /**
   * API key of another account with memories. The run checks that no account can read those of another. Default: none.
   */
  otherAccountApiKey?: string | undefined;
  /** API key that is no longer valid. Default: none. */
  inactiveApiKey?: string | undefined;
  /** API key of an account without memories. Default: none. */
  emptyAccountApiKey?: string | undefined;
  /** Whether to request each signed URL once. Default: `false`. */
  media?: boolean | undefined;
  /**
   * Rules to check. `'reference'` adds the decisions of this project where the specification is silent. Default:
   * `'specification'`.
   */
  profile?: Profile | undefined;
  /**
   * Names of the options in the results, for programs with other option names, such as `{ otherAccountApiKey:
   * '--other-api-key' }`. Default: the names of these options.
   */
  keyLabels?: Partial<Record<KeyName | Need, string>> | undefined;
  /** Function that sends the requests. Default: `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Aborts the run, which rejects with the signal's reason. Default: none. */
  signal?: AbortSignal | undefined;
  /** Timeout of one request including its body, in milliseconds. Default: 30,000. */
  timeout?: number | undefined;
  /** Timeout of all requests together, in milliseconds. Default: 300,000. */
  totalTimeout?: number | undefined;
  /** Called with each result, in the order of the specification. Default: none. */
  onResult?: ((result: RuleResult) => void) | undefined;
}

const keyNames: readonly KeyName[] = ['apiKey', 'otherAccountApiKey', 'inactiveApiKey', 'emptyAccountApiKey'];
const otherNames = [
  'baseUrl',
  'media',
  'profile',
  'keyLabels',
  'fetch',
  'signal',
  'timeout',
  'totalTimeout',
  'onResult',
];

/** Name of an option that holds a key. */
export type KeyName = 'apiKey' | 'otherAccountApiKey' | 'inactiveApiKey' | 'emptyAccountApiKey';

/** An option that a rule needs in addition to `apiKey`. */
export type Need = Exclude<KeyName, 'apiKey'> | 'media';

/** The validated options with their defaults. */
export interface Settings {
  /** Root of the API, without a trailing slash. */
  baseUrl: string;
  keys: Partial<Record<KeyName, string>>;
  media: boolean;
  profile: Profile;
  keyLabels: Partial<Record<string, string>>;
  fetch: typeof globalThis.fetch;
  signal: AbortSignal | undefined;
  timeout: number;
  totalTimeout: number;
}

/** Validates the options. No message repeats a key. */
export function toSettings(options: ConformanceOptions): Settings {
  const refused = refuseOptions(options, [...otherNames, ...keyNames]);
  if (refused) throw startError(refused.reason, refused.advice);
  const { profile = 'specification', timeout = 30_000, totalTimeout = 300_000 } = options;
  if (profile !== 'specification' && profile !== 'reference') {
    throw startError('the profile is unknown', "Pass 'specification' or 'reference'");
  }
  for (const [name, value] of Object.entries({ timeout, totalTimeout })) {
    const outside = refuseNumber(name, value, [1, longestTimer]);
    if (outside) throw startError(outside.reason, outside.advice);
  }
  if (options.fetch !== undefined && typeof options.fetch !== 'function') {
    throw startError('fetch is not a function', 'Pass a function such as globalThis.fetch, or leave it out');
  }
  return {
    baseUrl: toBaseUrl(options.baseUrl),
    keys: toKeys(options),
    media: options.media === true,
    profile,
    keyLabels: options.keyLabels ?? {},
    fetch: options.fetch ?? globalThis.fetch,
    signal: options.signal,
    timeout,
    totalTimeout,
  };
}

function toBaseUrl(baseUrl: string | URL): string {
  const isText = typeof baseUrl === 'string' || baseUrl instanceof URL;
  const url = isText && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw startError('the base URL is not an absolute http or https URL', 'Pass the root of the API, without /v1');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw startError('the base URL has credentials, a query or a fragment', 'Pass only the root of the API');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function toKeys(options: ConformanceOptions): Settings['keys'] {
  if ((options.apiKey ?? undefined) === undefined) throw startError('apiKey is missing', 'Pass the key of an account');
  const keys: Settings['keys'] = {};
  for (const name of keyNames) {
    const key = options[name];
    if (key === undefined) continue;
    if (typeof key !== 'string') throw startError(`${name} is not a string`, 'Pass a key, or leave it out');
    if (!/^[\x21-\x7e]+$/.test(key)) {
      throw startError(
        `${name} is empty, or contains characters that a header cannot contain`,
        'Pass a key of visible ASCII characters',
      );
    }
    keys[name] = key;
  }
  return keys;
}

function startError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to start the conformance run: ${reason}. ${advice}.`);
}
