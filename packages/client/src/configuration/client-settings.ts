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
import { checkBaseUrl, refuseKeyInUrl } from './base-url.ts';
import { refuseBrowser } from './browser-guard.ts';
import { readEnvironment } from './environment.ts';
import { OptionChecks } from './option-checks.ts';
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
  /** Undefined where calls and polls have different defaults. */
  readonly maxRetryAfter: number | undefined;
  readonly validation: ValidationMode;
  readonly headers: Record<string, string>;
  readonly hooks: MemoryClientHooks;
}

/** The options of a client, complete and checked. {@link overrideOptions} accepts them as options again. */
export interface ClientSettings extends CallSettings {
  readonly allowInsecureHttp: boolean;
  readonly dangerouslyAllowBrowser: boolean;
}

const createAction = 'create the client';

export function resolveSettings(options: MemoryClientOptions): ClientSettings {
  const check = new OptionChecks(createAction);
  check.options(options);
  const auth = check.choice('auth', options.auth ?? 'bearer', ['bearer', 'x-api-key', 'none']);
  const allowInsecureHttp = check.flag('allowInsecureHttp', options.allowInsecureHttp ?? false);
  const dangerouslyAllowBrowser = check.flag('dangerouslyAllowBrowser', options.dangerouslyAllowBrowser ?? false);
  if (auth !== 'none' && !dangerouslyAllowBrowser) refuseBrowser();
  const baseUrl = resolveBaseUrl(options.baseUrl, auth, allowInsecureHttp);
  const apiKey = resolveApiKey(options.apiKey, auth);
  refuseKeyInUrl(baseUrl, apiKey);
  const settings = {
    baseUrl,
    auth,
    apiKey,
    fetch: check.function('fetch', options.fetch),
    timeout: check.duration('timeout', options.timeout ?? 30_000),
    totalTimeout: check.duration('totalTimeout', options.totalTimeout ?? 120_000),
    retries: check.count('retries', options.retries ?? 2),
    maxRetryAfter: check.optionalInterval('maxRetryAfter', options.maxRetryAfter),
    validation: checkValidation(check, options.validation ?? 'strict'),
    headers: mergeHeaders(check, options.headers),
    hooks: checkHooks(check, options.hooks ?? {}),
    allowInsecureHttp,
    dangerouslyAllowBrowser,
  };
  check.names(options, Object.keys(settings));
  return settings;
}

/** @param action - what the caller wants, for messages. */
export function overrideSettings(settings: CallSettings, options: RequestOptions, action: string): CallSettings {
  const check = new OptionChecks(action);
  check.options(options);
  if (Object.keys(options).length === 0) return settings;
  const overrides = {
    timeout: check.duration('timeout', options.timeout ?? settings.timeout),
    totalTimeout: check.duration('totalTimeout', options.totalTimeout ?? settings.totalTimeout),
    retries: check.count('retries', options.retries ?? settings.retries),
    maxRetryAfter: check.optionalInterval('maxRetryAfter', options.maxRetryAfter ?? settings.maxRetryAfter),
    validation: checkValidation(check, options.validation ?? settings.validation),
    headers: mergeHeaders(check, settings.headers, options.headers),
  };
  check.names(options, [...Object.keys(overrides), 'signal']);
  return { ...settings, ...overrides };
}

/** Returns options with overrides. An undefined override keeps the original value. */
export function overrideOptions(
  options: MemoryClientOptions,
  overrides: Partial<MemoryClientOptions>,
): MemoryClientOptions {
  const given = Object.entries(new OptionChecks(createAction).options(overrides)).filter(
    ([, value]) => value !== undefined,
  );
  return { ...options, ...Object.fromEntries(given) };
}

function resolveBaseUrl(value: string | URL | undefined, auth: AuthScheme, allowInsecureHttp: boolean): string {
  const baseUrl = value ?? readEnvironment('MEMORY_API_URL');
  if (baseUrl !== undefined) return checkBaseUrl(baseUrl, { auth, allowInsecureHttp });
  throw new OptionChecks(createAction).refuse('the base URL is missing', 'Pass baseUrl or set MEMORY_API_URL.');
}

function resolveApiKey(
  value: string | ApiKeyProvider | undefined,
  auth: AuthScheme,
): string | ApiKeyProvider | undefined {
  const apiKey = value ?? readEnvironment('MEMORY_API_KEY');
  if (auth === 'none' || typeof apiKey === 'function') return apiKey;
  if (apiKey !== undefined) return checkApiKey(apiKey, createAction);
  throw new OptionChecks(createAction).refuse('the API key is missing', 'Pass apiKey or set MEMORY_API_KEY.');
}

function checkHooks(check: OptionChecks, hooks: MemoryClientHooks): MemoryClientHooks {
  check.object('hooks', hooks);
  check.names(hooks, hookNames);
  const bound = hookNames.map((name) => [name, check.function(`hooks.${name}`, hooks[name])?.bind(hooks)]);
  return Object.fromEntries(bound);
}

function checkValidation(check: OptionChecks, value: ValidationMode): ValidationMode {
  return check.choice('validation', value, ['strict', 'warn', 'off']);
}
