import { hookNames, type MemoryClientHooks } from '../client-hooks.ts';
import type {
  ApiKeyProvider,
  AuthScheme,
  MemoryClientOptions,
  RequestOptions,
  SendRequest,
} from '../client-options.ts';
import { isMediaOrigin } from '../media/media-origins.ts';
import type { ValidationMode } from '../validation/check-response.ts';
import { checkApiKey } from './api-key.ts';
import { checkBaseUrl, isSameUrl, refuseKeyInUrl } from './base-url.ts';
import { refuseBrowser } from './browser-guard.ts';
import { readEnvironment } from './environment.ts';
import { OptionChecks } from './option-checks.ts';
import { callNames, clientNames, plainName } from './option-names.ts';
import { mergeHeaders } from './request-headers.ts';

/** The options of one call, complete and checked. */
export interface CallSettings {
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly apiKey: string | ApiKeyProvider | undefined;
  /** Whether the caller passed the key to the call. */
  readonly isCallKey?: boolean;
  readonly fetch: SendRequest | undefined;
  readonly timeout: number | false;
  readonly totalTimeout: number | false;
  readonly retries: number;
  /** Undefined where calls and polls have different defaults. */
  readonly maxRetryAfter: number | undefined;
  readonly maxResponseBytes: number;
  readonly validation: ValidationMode;
  readonly headers: Record<string, string>;
  readonly hooks: MemoryClientHooks;
}

/** The options of a client, complete and checked. {@link overrideOptions} accepts them as options again. */
export interface ClientSettings extends CallSettings {
  readonly allowInsecureHttp: boolean;
  readonly dangerouslyAllowBrowser: boolean;
  readonly mediaOrigins: readonly string[] | undefined;
}

const createAction = 'create the client';

export function resolveSettings(options: MemoryClientOptions): ClientSettings {
  const check = new OptionChecks(createAction);
  check.names(check.options(options), clientNames);
  const auth = check.choice('auth', options.auth ?? 'bearer', ['bearer', 'x-api-key', 'none']);
  const allowInsecureHttp = check.flag('allowInsecureHttp', options.allowInsecureHttp ?? false);
  const dangerouslyAllowBrowser = check.flag('dangerouslyAllowBrowser', options.dangerouslyAllowBrowser ?? false);
  if (auth !== 'none' && !dangerouslyAllowBrowser) refuseBrowser();
  const baseUrl = resolveBaseUrl(options.baseUrl, auth, allowInsecureHttp);
  if (auth !== 'none') refuseMixedSources(check, options);
  const apiKey = resolveApiKey(options.apiKey, auth);
  refuseKeyInUrl(baseUrl, apiKey);
  return {
    baseUrl,
    auth,
    apiKey,
    fetch: check.function('fetch', options.fetch),
    timeout: check.duration('timeout', options.timeout ?? 30_000),
    totalTimeout: check.duration('totalTimeout', options.totalTimeout ?? 120_000),
    retries: check.count('retries', options.retries ?? 2),
    maxRetryAfter: check.optionalInterval('maxRetryAfter', options.maxRetryAfter),
    maxResponseBytes: check.maxResponseBytes(options.maxResponseBytes),
    validation: checkValidation(check, options.validation ?? 'strict'),
    headers: mergeHeaders(check, options.headers),
    hooks: checkHooks(check, options.hooks ?? {}),
    allowInsecureHttp,
    dangerouslyAllowBrowser,
    mediaOrigins: checkMediaOrigins(check, options.mediaOrigins),
  };
}

/** @param action - what the caller wants, for messages. */
export function overrideSettings(settings: CallSettings, options: RequestOptions, action: string): CallSettings {
  const check = new OptionChecks(action);
  check.options(options);
  if (Object.keys(options).length === 0) return settings;
  check.names(options, callNames);
  const overrides = {
    apiKey: overrideApiKey(check, settings, options, action),
    isCallKey: options.apiKey !== undefined,
    timeout: check.duration('timeout', options.timeout ?? settings.timeout),
    totalTimeout: check.duration('totalTimeout', options.totalTimeout ?? settings.totalTimeout),
    retries: check.count('retries', options.retries ?? settings.retries),
    maxRetryAfter: check.optionalInterval('maxRetryAfter', options.maxRetryAfter ?? settings.maxRetryAfter),
    maxResponseBytes: check.maxResponseBytes(options.maxResponseBytes ?? settings.maxResponseBytes),
    validation: checkValidation(check, options.validation ?? settings.validation),
    headers: mergeHeaders(check, settings.headers, options.headers),
  };
  return { ...settings, ...overrides };
}

/** A missing key of a tenant must not read the account of the client. */
function refuseUndefinedKey(check: OptionChecks, options: object): void {
  if (isOwnUndefined(options, 'apiKey'))
    throw check.refuse('apiKey is undefined', 'Pass the key, or leave apiKey out.', 'apiKey');
}

function isOwnUndefined(options: object, name: 'apiKey' | 'baseUrl'): boolean {
  return Object.hasOwn(options, name) && (options as MemoryClientOptions)[name] === undefined;
}

function overrideApiKey(
  check: OptionChecks,
  { auth, apiKey: ofClient, baseUrl }: CallSettings,
  options: RequestOptions,
  action: string,
): string | ApiKeyProvider | undefined {
  refuseUndefinedKey(check, options);
  const { apiKey } = options;
  if (apiKey === undefined) return ofClient;
  if (auth === 'none') throw check.refuse("apiKey is not used with auth: 'none'", 'Leave apiKey out.', 'apiKey');
  if (typeof apiKey === 'function') return apiKey;
  refuseKeyInUrl(baseUrl, checkApiKey(apiKey, action));
  return apiKey;
}

/** A variable that is not set must not send the key of one server to another, or read another account. */
function refuseMixedSources(check: OptionChecks, options: MemoryClientOptions): void {
  const [url, key] = [readEnvironment('MEMORY_API_URL'), readEnvironment('MEMORY_API_KEY')];
  const { baseUrl, apiKey } = options;
  if (isOwnUndefined(options, 'apiKey') && baseUrl !== undefined && !(url && isSameUrl(baseUrl, url)))
    throw check.refuse(
      'apiKey is undefined, and baseUrl is not MEMORY_API_URL',
      'Pass the key of this server, or leave apiKey out to use MEMORY_API_KEY.',
      'apiKey',
    );
  if (isOwnUndefined(options, 'baseUrl') && apiKey !== undefined && apiKey !== key)
    throw check.refuse(
      'baseUrl is undefined, and apiKey is not MEMORY_API_KEY',
      'Pass the URL of this server, or leave baseUrl out to use MEMORY_API_URL.',
      'baseUrl',
    );
}

/** Returns options with overrides. An undefined override keeps the original value. */
export function overrideOptions(
  options: MemoryClientOptions,
  overrides: Partial<MemoryClientOptions>,
): MemoryClientOptions {
  const check = new OptionChecks(createAction);
  refuseUndefinedKey(check, check.options(overrides));
  check.names(overrides, clientNames);
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return { ...options, ...Object.fromEntries(given) };
}

function resolveBaseUrl(value: string | URL | undefined, auth: AuthScheme, allowInsecureHttp: boolean): string {
  const baseUrl = value ?? readEnvironment('MEMORY_API_URL');
  if (baseUrl !== undefined) return checkBaseUrl(baseUrl, { auth, allowInsecureHttp });
  throw new OptionChecks(createAction).refuse(
    'the base URL is missing',
    'Pass baseUrl or set MEMORY_API_URL.',
    'baseUrl',
  );
}

function resolveApiKey(
  value: string | ApiKeyProvider | undefined,
  auth: AuthScheme,
): string | ApiKeyProvider | undefined {
  const apiKey = value ?? readEnvironment('MEMORY_API_KEY');
  if (auth === 'none' || typeof apiKey === 'function') return apiKey;
  if (apiKey !== undefined) return checkApiKey(apiKey, createAction);
  throw new OptionChecks(createAction).refuse('the API key is missing', 'Pass apiKey or set MEMORY_API_KEY.', 'apiKey');
}

/** The message shows no entry, because it may hold a password. */
function checkMediaOrigins(check: OptionChecks, origins: readonly string[] | undefined): typeof origins {
  if (origins === undefined) return origins;
  if (Array.isArray(origins) && origins.every(isMediaOrigin)) return [...origins];
  throw check.refuseValue(
    'mediaOrigins',
    origins,
    'a list of origins',
    "Pass ['https://media.example.com'], without a path.",
  );
}

function checkHooks(check: OptionChecks, hooks: MemoryClientHooks): MemoryClientHooks {
  check.object('hooks', hooks);
  // An instance of a class can have further fields of any name.
  for (const name of Object.keys(hooks)) {
    const meant = hookNames.find((one) => plainName(one) === plainName(name));
    if (meant && meant !== name) throw check.refuse(`hooks.${name} is not supported`, `Use ${meant}.`, 'hooks');
  }
  const bound = hookNames.map((name) => [name, check.function(`hooks.${name}`, hooks[name])?.bind(hooks)]);
  return Object.fromEntries(bound);
}

function checkValidation(check: OptionChecks, value: ValidationMode): ValidationMode {
  return check.choice('validation', value, ['strict', 'warn', 'skip', 'off']);
}
