import type { MediaKind } from '@memory-read/contract';
import type { AuthScheme, MemoryClientOptions } from './client-options.ts';
import { type ClientSettings, resolveSettings, type Sources } from './configuration/client-settings.ts';
import { ConfigurationError } from './errors/errors.ts';
import { userAgent } from './transport/user-agent.ts';

/**
 * One account of the API, which every function of `@memory-read/client/functions` takes first. A `MemoryClient` is one too.
 *
 * Its settings cannot be changed, and no log of it shows the API key.
 */
export interface Client {
  /** Root URL of the API, without a slash at its end. */
  readonly baseUrl: string;
  /** How the API key is sent. */
  readonly auth: AuthScheme;
  /** Returns what a log may show of the client: never the API key. */
  toJSON(): object;
}

/** What belongs to one client. */
export interface ClientState {
  readonly settings: ClientSettings;
  readonly sources: Sources;
  /** Headers of each request, without the key and those of a call. */
  readonly headers: Readonly<Record<string, string>>;
  /** The last keys of the client, which no error shows. */
  readonly apiKeys: Set<string>;
  /** Removes the URLs of a media file from the cache, if there is one. */
  forgetMediaUrl: ((media: { readonly memoryId: string; readonly kind: MediaKind }) => void) | undefined;
}

const states = new WeakMap<object, ClientState>();

/** An apiKey function can return another key each time. */
const MAXIMUM_KEYS = 100;

/**
 * Creates a client for the functions of `@memory-read/client/functions`. It sends no request before you call one of them.
 *
 * @throws a {@link ConfigurationError} if an option is invalid, or the base URL or the API key is missing.
 *
 * @example
 * ```ts
 * import { createClient, getMemory, listMemories } from '@memory-read/client/functions';
 *
 * const client = createClient();
 * const [newest] = await listMemories(client);
 * if (newest) console.log((await getMemory(client, newest.id)).summary?.quick_summary);
 * ```
 */
export function createClient(options: MemoryClientOptions = {}): Client {
  const toJSON = () => ({ baseUrl, auth });
  const client = {};
  const { baseUrl, auth } = openState(client, options).settings;
  return Object.freeze(Object.assign(client, { baseUrl, auth, toJSON }));
}

/** Gives a client its state. */
export function openState(client: object, options: MemoryClientOptions): ClientState {
  const [settings, sources] = resolveSettings(options);
  const { apiKey } = settings;
  const state: ClientState = {
    settings,
    sources,
    headers: { accept: 'application/json', ...userAgent(), ...settings.headers },
    apiKeys: new Set(typeof apiKey === 'string' && apiKey !== '' ? [apiKey] : []),
    forgetMediaUrl: undefined,
  };
  states.set(client, state);
  return state;
}

/** Returns the state of a client that a caller passes to a function. */
export function stateOf(client: Client, name: string): ClientState {
  const state = states.get(client);
  if (state) return state;
  throw new ConfigurationError(
    `Failed to call ${name}: it got no client of this copy of the package. Call it as client.${name}(), or pass a client itself, not a proxy of it.`,
  );
}

/** Keeps a key out of errors. */
export function hideKey({ apiKeys }: ClientState, apiKey: string): void {
  apiKeys.delete(apiKey);
  apiKeys.add(apiKey);
  const [oldest] = apiKeys;
  if (oldest !== undefined && apiKeys.size > MAXIMUM_KEYS) apiKeys.delete(oldest);
}
