import { hookNames, type MemoryClientHooks } from '../client-hooks.ts';
import type {
  ApiKeyProvider,
  AuthScheme,
  MemoryClientOptions,
  RequestOptions,
  SendRequest,
} from '../client-options.ts';
import type { ValidationMode } from '../validation/check-response.ts';
import { checkApiKey } from './api-key.ts';
import { checkBaseUrl, isSameUrl, refuseKeyInUrl } from './base-url.ts';
import { refuseBrowser } from './browser-guard.ts';
import { readEnvironment } from './environment.ts';
import { isOwnUndefined, OptionChecks } from './option-checks.ts';
import { callback, plainName } from './option-kinds.ts';
import { callNames, clientNames } from './option-names.ts';

/** The options of one call, complete and checked. */
export interface CallSettings {
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly apiKey: string | ApiKeyProvider | undefined;
  /** Whether the caller passed the key to the call. */
  readonly isCallKey?: boolean;
  readonly signal?: AbortSignal | undefined;
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

const defaults: MemoryClientOptions = {
  auth: 'bearer',
  timeout: 30_000,
  totalTimeout: 120_000,
  retries: 2,
  maxResponseBytes: 268_435_456,
  validation: 'strict',
  headers: {},
  hooks: {},
  allowInsecureHttp: false,
  dangerouslyAllowBrowser: false,
};

export function resolveSettings(givenOptions: MemoryClientOptions): ClientSettings {
  const check = new OptionChecks(createAction);
  const options = check.settle(givenOptions, clientNames);
  const given = { ...defaults, ...options } as Omit<ClientSettings, 'baseUrl'> & Pick<MemoryClientOptions, 'baseUrl'>;
  const { auth, allowInsecureHttp, dangerouslyAllowBrowser } = given;
  if (auth !== 'none' && !dangerouslyAllowBrowser) refuseBrowser();
  const baseUrl = resolveBaseUrl(given.baseUrl, auth, allowInsecureHttp);
  if (auth !== 'none') refuseMixedSources(check, givenOptions);
  const apiKey = resolveApiKey(given.apiKey, auth);
  refuseKeyInUrl(baseUrl, apiKey);
  const mediaOrigins = given.mediaOrigins && [...given.mediaOrigins];
  return {
    ...given,
    baseUrl,
    apiKey,
    hooks: bindHooks(check, given.hooks),
    mediaOrigins,
  };
}

/** @param action - what the caller wants, for messages. */
export function overrideSettings(settings: CallSettings, givenOptions: RequestOptions, action: string): CallSettings {
  const check = new OptionChecks(action);
  const options = check.settle(givenOptions, callNames);
  if (Object.keys(options).length === 0) return settings;
  return {
    ...settings,
    ...(options as Partial<CallSettings>),
    apiKey: overrideApiKey(check, settings, options, action),
    isCallKey: options.apiKey !== undefined,
    headers: { ...settings.headers, ...options.headers },
  };
}

function overrideApiKey(
  check: OptionChecks,
  { auth, apiKey: ofClient, baseUrl }: CallSettings,
  options: RequestOptions,
  action: string,
): string | ApiKeyProvider | undefined {
  const { apiKey } = options;
  if (apiKey === undefined) return ofClient;
  if (auth === 'none') throw check.refuse("apiKey is not used with auth: 'none'", 'Leave apiKey out.', 'apiKey');
  if (typeof apiKey === 'function') return apiKey;
  refuseKeyInUrl(baseUrl, checkApiKey(apiKey, action, { apiKey, isCallKey: true }));
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
  const settled = check.settle(overrides, clientNames);
  if (settled.apiKey === undefined) check.refuseUndefinedKey(overrides);
  return { ...options, ...settled };
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

const foreignHook = /^(before|after)[RE]|onError$/;

/** The message shows no entry, because it may hold a password. */
function bindHooks(check: OptionChecks, hooks: MemoryClientHooks): MemoryClientHooks {
  // An instance of a class can have further fields of any name.
  for (const name of Object.keys(hooks)) {
    const meant =
      hookNames.find((one) => plainName(one) === plainName(name)) ?? (foreignHook.test(name) && hookNames.join(', '));
    if (meant && meant !== name) throw check.refuse(`hooks.${name} is not supported`, `Use ${meant}.`, 'hooks');
  }
  const bound = hookNames.map((name) => [name, check.value(`hooks.${name}`, hooks[name], callback)?.bind(hooks)]);
  return Object.fromEntries(bound);
}
