import { hookNames, type MemoryClientHooks } from '../client-hooks.ts';
import type {
  ApiKeyProvider,
  AuthScheme,
  MemoryClientOptions,
  RequestOptions,
  SendRequest,
} from '../client-options.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { ValidationMode } from '../validation/check-response.ts';
import { checkApiKey } from './api-key.ts';
import { checkBaseUrl, refuseKeyInUrl } from './base-url.ts';
import { refuseBrowser } from './browser-guard.ts';
import { readEnvironment } from './environment.ts';
import {
  checkChoice,
  checkCount,
  checkDuration,
  checkFlag,
  checkFunction,
  checkNames,
  checkObject,
  checkOptions,
} from './option-checks.ts';
import { mergeHeaders } from './request-headers.ts';

/** The options of one call, complete and checked. */
export interface CallSettings {
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly apiKey: string | ApiKeyProvider | undefined;
  readonly fetch: SendRequest | undefined;
  readonly timeout: number | false;
  readonly totalTimeout: number | false;
  readonly retries: number;
  readonly validation: ValidationMode;
  readonly headers: Record<string, string>;
  readonly hooks: MemoryClientHooks;
}

/** The options of a client, complete and checked; they serve as options again for {@link overrideOptions}. */
export interface ClientSettings extends CallSettings {
  readonly allowInsecureHttp: boolean;
  readonly dangerouslyAllowBrowser: boolean;
}

export function resolveSettings(options: MemoryClientOptions): ClientSettings {
  checkOptions(options);
  const auth = checkChoice('auth', options.auth ?? 'bearer', ['bearer', 'x-api-key', 'none']);
  const allowInsecureHttp = checkFlag('allowInsecureHttp', options.allowInsecureHttp ?? false);
  const dangerouslyAllowBrowser = checkFlag('dangerouslyAllowBrowser', options.dangerouslyAllowBrowser ?? false);
  if (auth !== 'none' && !dangerouslyAllowBrowser) refuseBrowser();
  const baseUrl = resolveBaseUrl(options.baseUrl, auth, allowInsecureHttp);
  const apiKey = resolveApiKey(options.apiKey, auth);
  refuseKeyInUrl(baseUrl, apiKey);
  const settings = {
    baseUrl,
    auth,
    apiKey,
    fetch: checkFunction('fetch', options.fetch),
    timeout: checkDuration('timeout', options.timeout ?? 30_000),
    totalTimeout: checkDuration('totalTimeout', options.totalTimeout ?? 120_000),
    retries: checkCount('retries', options.retries ?? 2),
    validation: checkValidation(options.validation ?? 'strict'),
    headers: mergeHeaders(options.headers),
    hooks: checkHooks(options.hooks ?? {}),
    allowInsecureHttp,
    dangerouslyAllowBrowser,
  };
  checkNames(options, Object.keys(settings));
  return settings;
}

export function overrideSettings(settings: CallSettings, options: RequestOptions): CallSettings {
  checkOptions(options);
  if (Object.keys(options).length === 0) return settings;
  const overrides = {
    timeout: checkDuration('timeout', options.timeout ?? settings.timeout),
    totalTimeout: checkDuration('totalTimeout', options.totalTimeout ?? settings.totalTimeout),
    retries: checkCount('retries', options.retries ?? settings.retries),
    validation: checkValidation(options.validation ?? settings.validation),
    headers: mergeHeaders(settings.headers, options.headers),
  };
  checkNames(options, [...Object.keys(overrides), 'signal']);
  return { ...settings, ...overrides };
}

/** Overrides in place of options; undefined keeps what was there. */
export function overrideOptions(
  options: MemoryClientOptions,
  overrides: Partial<MemoryClientOptions>,
): MemoryClientOptions {
  const given = Object.entries(checkOptions(overrides)).filter(([, value]) => value !== undefined);
  return { ...options, ...Object.fromEntries(given) };
}

function resolveBaseUrl(value: string | URL | undefined, auth: AuthScheme, allowInsecureHttp: boolean): string {
  const baseUrl = value ?? readEnvironment('MEMORY_API_URL');
  if (baseUrl !== undefined) return checkBaseUrl(baseUrl, { auth, allowInsecureHttp });
  throw new ConfigurationError(
    'Failed to create the client: because it has no base URL. Pass baseUrl or set MEMORY_API_URL.',
  );
}

function resolveApiKey(
  value: string | ApiKeyProvider | undefined,
  auth: AuthScheme,
): string | ApiKeyProvider | undefined {
  const apiKey = value ?? readEnvironment('MEMORY_API_KEY');
  if (auth === 'none' || typeof apiKey === 'function') return apiKey;
  if (apiKey !== undefined) return checkApiKey(apiKey);
  throw new ConfigurationError(
    'Failed to create the client: because it has no API key. Pass apiKey or set MEMORY_API_KEY.',
  );
}

function checkHooks(hooks: MemoryClientHooks): MemoryClientHooks {
  checkObject('hooks', hooks);
  checkNames(hooks, hookNames);
  const bound = hookNames.map((name) => [name, checkFunction(`hooks.${name}`, hooks[name])?.bind(hooks)]);
  return Object.fromEntries(bound);
}

function checkValidation(value: ValidationMode): ValidationMode {
  return checkChoice('validation', value, ['strict', 'warn', 'off']);
}
