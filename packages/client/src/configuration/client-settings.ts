import { isSameBaseUrl } from '@memory-read/contract/base-url';
import { useOneOf } from '@memory-read/contract/options';
import { hookNames, type MemoryClientHooks } from '../client-hooks.ts';
import type { ApiKey, AuthScheme, MemoryClientOptions, SendRequest } from '../client-options.ts';
import type { ValidationMode } from '../validation/check-response.ts';
import { checkApiKey, keyFunction } from './api-key.ts';
import { checkBaseUrl, refuseKeyInUrl } from './base-url.ts';
import { refuseBrowser } from './browser-guard.ts';
import { callTable } from './call-options.ts';
import { checkOptions, checkValue, type OptionTable } from './check-options.ts';
import { readEnvironment } from './environment.ts';
import { callback, flag, given, object, oneOf, origins } from './option-kinds.ts';
import { refuseOption } from './refuse-option.ts';

/** The options that decide about one call, complete and checked. */
export interface CallSettings {
  readonly timeout: number | false;
  readonly totalTimeout: number | false;
  readonly retries: number;
  /** Undefined where calls and polls have different defaults. */
  readonly maxRetryAfter: number | undefined;
  readonly maxResponseBytes: number;
  readonly validation: ValidationMode;
}

/** The options of a client, complete and checked. They are valid options again. */
export interface ClientSettings extends CallSettings {
  readonly baseUrl: string;
  readonly auth: AuthScheme;
  readonly apiKey: ApiKey | undefined;
  readonly fetch: SendRequest | undefined;
  readonly headers: Record<string, string>;
  readonly hooks: MemoryClientHooks;
  readonly allowInsecureHttp: boolean;
  readonly dangerouslyAllowBrowser: boolean;
  readonly mediaOrigins: readonly string[] | undefined;
}

/** Where the base URL and the key came from when the client was created, for messages. */
export interface Sources {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const action = 'create the client';

const { signal: _ofCallsOnly, ...sharedTable } = callTable;
const clientTable: OptionTable = {
  baseUrl: given,
  apiKey: given,
  auth: oneOf('bearer', 'x-api-key', 'none'),
  ...sharedTable,
  fetch: callback,
  hooks: object,
  mediaOrigins: origins,
  allowInsecureHttp: flag,
  dangerouslyAllowBrowser: flag,
};

const defaults = {
  auth: 'bearer',
  timeout: 30_000,
  totalTimeout: 120_000,
  retries: 2,
  maxResponseBytes: 268_435_456,
  validation: 'strict',
  headers: {},
  allowInsecureHttp: false,
  dangerouslyAllowBrowser: false,
} as const satisfies MemoryClientOptions;

/** Where settings come from. A subclass gets settings as options, and may pass a changed copy on. */
const origin = Symbol('origin');

interface Settled {
  readonly [origin]?: { readonly sources: Sources; settings?: ClientSettings };
}

/** Returns the settings of a new client, and where its base URL and key come from. */
export function resolveSettings(options: MemoryClientOptions & Settled): [ClientSettings, Sources] {
  const known = Object(options)[origin] as Settled[typeof origin];
  if (known?.settings === options) return [options as ClientSettings, known.sources];
  const checked = checkOptions(action, clientTable, options);
  const hooks = bindHooks(checked.hooks ?? {});
  const [filled, sources] = fillFromEnvironment({ ...defaults, ...checked, hooks });
  const kept = (name: keyof Sources) => (filled[name] === known?.settings?.[name] ? known?.sources[name] : undefined);
  const own = { baseUrl: kept('baseUrl') ?? sources.baseUrl, apiKey: kept('apiKey') ?? sources.apiKey };
  return [settle(filled as ClientSettings, own), own];
}

/** Returns settings with overrides. An undefined override keeps the original value. */
export function overrideSettings(
  { settings, sources }: { readonly settings: ClientSettings; readonly sources: Sources },
  overrides: Partial<MemoryClientOptions>,
): ClientSettings {
  const checked = checkOptions(action, clientTable, overrides);
  const { baseUrl, apiKey, hooks } = checked;
  if (hooks) checked.hooks = bindHooks(hooks);
  // A missing key of a tenant must not read the account of the client.
  if (apiKey === undefined && Object.hasOwn(overrides, 'apiKey'))
    throw refuseOption(action, 'apiKey is undefined', 'Pass the key, or leave apiKey out.', 'apiKey');
  const isOtherServer = baseUrl !== undefined && !isSameBaseUrl(String(baseUrl), settings.baseUrl);
  if (apiKey === undefined && isOtherServer && sources.apiKey === 'MEMORY_API_KEY' && settings.auth !== 'none')
    throw refuseOption(action, 'MEMORY_API_KEY belongs to another base URL', 'Pass apiKey too.', 'apiKey');
  return settle({ ...settings, ...checked } as ClientSettings, {
    baseUrl: baseUrl === undefined ? sources.baseUrl : 'baseUrl',
    apiKey: apiKey === undefined ? sources.apiKey : keyOption(apiKey),
  });
}

/** A variable must not complete the options of another server: its key would go there, or another account would be read. */
function fillFromEnvironment(options: MemoryClientOptions): [MemoryClientOptions, Sources] {
  const { auth, baseUrl, apiKey } = options;
  const url = readEnvironment('MEMORY_API_URL');
  const mayFillKey =
    apiKey === undefined && (baseUrl === undefined || (url !== undefined && isSameBaseUrl(String(baseUrl), url)));
  const key = mayFillKey ? readEnvironment('MEMORY_API_KEY') : apiKey;
  const filled = { ...options, baseUrl: mayFillKey ? (baseUrl ?? url) : baseUrl, apiKey: key };
  const missing = (name: string, option: string) => {
    const remedy = 'Pass baseUrl and apiKey, or set MEMORY_API_URL and MEMORY_API_KEY.';
    return refuseOption(action, `the ${name} is missing`, remedy, option);
  };
  if (filled.baseUrl === undefined) throw missing('base URL', 'baseUrl');
  if (key === undefined && auth !== 'none') throw missing('API key', 'apiKey');
  const urlSource = baseUrl === undefined ? 'MEMORY_API_URL' : 'baseUrl';
  return [filled, { baseUrl: urlSource, apiKey: apiKey === undefined ? 'MEMORY_API_KEY' : keyOption(apiKey) }];
}

function keyOption(apiKey: ApiKey): string {
  return typeof apiKey === 'function' ? keyFunction : 'the apiKey option';
}

/** Checks what options demand of each other. */
function settle(settings: ClientSettings, sources: Sources): ClientSettings {
  const { auth, allowInsecureHttp, apiKey } = settings;
  if (auth !== 'none' && !settings.dangerouslyAllowBrowser) refuseBrowser();
  const rules = { auth, allowInsecureHttp, source: sources.baseUrl };
  const baseUrl = checkBaseUrl(settings.baseUrl, rules);
  if (auth !== 'none' && typeof apiKey !== 'function') checkApiKey(apiKey, action, sources.apiKey);
  refuseKeyInUrl(baseUrl, apiKey, rules);
  const from: Settled[typeof origin] = { sources };
  const settled: ClientSettings & Settled = {
    ...settings,
    [origin]: from,
    baseUrl,
    mediaOrigins: settings.mediaOrigins && [...settings.mediaOrigins],
  };
  from.settings = settled;
  return settled;
}

function bindHooks(hooks: MemoryClientHooks): MemoryClientHooks {
  // Other entries of any name can hold the state of the hooks.
  const unknown = Object.keys(hooks).find(
    (name) => /^(on|before|after)/i.test(name) && !hookNames.includes(name as never),
  );
  if (unknown !== undefined)
    throw refuseOption(action, `hooks.${unknown} is not supported`, `${useOneOf(hookNames, unknown)}.`, 'hooks');
  const bound = hookNames.map((name) => [
    name,
    checkValue(action, `hooks.${name}`, hooks[name], callback)?.bind(hooks),
  ]);
  return Object.fromEntries(bound);
}
