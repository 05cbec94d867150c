import { isSameBaseUrl, readBaseUrl } from '@memory-read/contract/base-url';
import type { CliProcess } from '../terminal/cli-process.ts';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { rememberKey } from '../terminal/mask-keys.ts';
import { rememberBaseUrlSource } from '../terminal/root-advice.ts';
import { checkBaseUrl } from './check-base-url.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { defaultProfile } from './profile-name.ts';
import { readKey } from './read-key.ts';
import { openProfiles, type SavedProfile } from './saved-profiles.ts';

/** A server and its API key. */
export interface Connection {
  baseUrl: string;
  apiKey: string;
  allowInsecureHttp: boolean;
}

/** A connection, and where it comes from. */
export interface ResolvedConnection extends Connection {
  /** Option, variable, path of the configuration file or `the profile <name>`. */
  baseUrlFrom: string;
  keyFrom: string;
  /** Name of the profile that the key or the base URL comes from, if any. */
  profile: string | undefined;
}

/** Returns the base URL and the key as {@link resolveConnection} does. */
export async function readConnection(options: ConnectionOptions): Promise<Connection> {
  const { baseUrl, apiKey, allowInsecureHttp } = await resolveConnection(options);
  return { baseUrl, apiKey, allowInsecureHttp };
}

/**
 * Reads the base URL and the key, each from the options, the profile of `--profile`, the environment, the profile of
 * `MEMORY_PROFILE` or the default profile, in this order. The configuration file is read only if it is needed.
 *
 * @throws CommandError if a value is missing or cannot be read, or if the saved key belongs to another server.
 */
export async function resolveConnection(options: ConnectionOptions): Promise<ResolvedConnection> {
  const { process } = options;
  const profiles = openProfiles(process, options.profile);
  const { MEMORY_API_URL: variable } = process.env;
  const url = await firstOf([
    () => options.baseUrl && { value: options.baseUrl, from: '--base-url' },
    () => savedUrl(profiles.chosen()),
    () => variable && { value: variable, from: 'MEMORY_API_URL' },
    () => savedUrl(profiles.usual()),
    () => savedUrl(profiles.default()),
  ]);
  if (url === undefined) {
    const advice = 'Run memory-read login, pass --base-url, or set MEMORY_API_URL';
    throw new CommandError(exitCodes.usage, `Failed to find the server: no base URL is set. ${advice}.`);
  }
  const { from, saved } = url;
  rememberBaseUrlSource(process, { from, login: saved && `login${profileOption(saved.name)}` });
  const key = await firstOf([
    () => options.apiKey !== undefined && keyOf(process, '--api-key', options.apiKey),
    () => savedKey(process, profiles.chosen(), url.value),
    () => process.env.MEMORY_API_KEY && keyOf(process, 'MEMORY_API_KEY', 'env:MEMORY_API_KEY'),
    () => savedKey(process, profiles.usual(), url.value),
    () => savedKey(process, profiles.default(), url.value),
  ]);
  if (key === undefined) {
    const advice = 'Run memory-read login, or set MEMORY_API_KEY';
    throw new CommandError(exitCodes.usage, `Failed to find the key: no API key is set. ${advice}.`);
  }
  const allowInsecureHttp = options.allowInsecureHttp ?? [url, key].some(({ saved }) => isAllowed(saved, url.value));
  const baseUrl = checkBaseUrl(url.value, allowInsecureHttp);
  const profile = (key.saved ?? url.saved)?.name;
  return { baseUrl, apiKey: key.value, allowInsecureHttp, baseUrlFrom: url.from, keyFrom: key.from, profile };
}

function profileOption(name: string): string {
  return name === defaultProfile ? '' : ` --profile ${name}`;
}

/** A value and its source. */
interface Found {
  value: string;
  from: string;
  saved?: SavedProfile | undefined;
}

type Source = () => Promise<Found> | Found | '' | false | undefined;

async function firstOf(sources: readonly Source[]): Promise<Found | undefined> {
  for (const read of sources) {
    const found = await read();
    if (found) return found;
  }
  return undefined;
}

function savedUrl(saved: SavedProfile | undefined): Found | undefined {
  const value = saved?.settings.baseUrl;
  return saved && value !== undefined ? { value, from: saved.title, saved } : undefined;
}

/** Returns the key of a profile, which is sent only to the server that it was saved with. */
function savedKey(process: CliProcess, saved: SavedProfile | undefined, baseUrl: string): Found | undefined {
  const value = saved?.readKey();
  if (!saved || value === undefined) return undefined;
  rememberKey(process, value);
  const own = saved.settings.baseUrl ?? '';
  if (isSameBaseUrl(own, baseUrl)) return { value, from: saved.title, saved };
  throw new CommandError(
    exitCodes.usage,
    `Failed to find the key: the saved key belongs to ${describeUrl(own)}, but the base URL is ${describeUrl(baseUrl)}. Pass --api-key env:NAME or file:PATH.`,
  );
}

async function keyOf(process: CliProcess, from: string, source: string): Promise<Found> {
  return { value: await readKey(process, from, source), from };
}

function isAllowed(saved: SavedProfile | undefined, baseUrl: string): boolean {
  const { allowInsecureHttp = false, baseUrl: own = '' } = saved?.settings ?? {};
  return allowInsecureHttp && isSameBaseUrl(own, baseUrl);
}

/** Does not repeat a URL that can have secrets. */
function describeUrl(text: string): string {
  const read = readBaseUrl(text, true);
  return read.problem === undefined ? read.url : 'another one';
}
