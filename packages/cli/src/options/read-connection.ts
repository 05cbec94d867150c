import { type CommandError, usageError } from '../terminal/command-error.ts';
import { rememberKey } from '../terminal/mask-keys.ts';
import { configurationPath } from './configuration-path.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { type Configuration, readConfiguration } from './read-configuration.ts';
import { readKey } from './read-key.ts';

/** A server and its API key. */
export interface Connection {
  baseUrl: string;
  apiKey: string;
}

/**
 * Reads the base URL and the key from the options, the environment or the configuration file, in this order. The file
 * is read only if it is needed.
 *
 * @throws CommandError if a value is missing or cannot be read.
 */
export function readConnection(options: ConnectionOptions): Connection {
  const path = configurationPath();
  let file: Configuration | undefined;
  const configuration = () => {
    file ??= readConfiguration(path);
    return file;
  };
  const explicitUrl = options.baseUrl ?? (process.env.MEMORY_API_URL || undefined);
  const baseUrl = explicitUrl ?? configuration().baseUrl;
  if (baseUrl === undefined)
    throw missing('--base-url', 'the root of the API', `MEMORY_API_URL, or baseUrl in ${path}`);
  const ownKey = readOwnKey(options);
  if (ownKey !== undefined) return connectionTo(baseUrl, ownKey);
  assertSameServer(configuration(), baseUrl);
  const apiKey = configuration().apiKey;
  if (apiKey === undefined) throw missing('--api-key', 'env:NAME or file:PATH', `MEMORY_API_KEY, or apiKey in ${path}`);
  return connectionTo(baseUrl, apiKey);
}

function connectionTo(baseUrl: string, apiKey: string): Connection {
  rememberKey(apiKey);
  return { baseUrl, apiKey };
}

function readOwnKey({ apiKey }: ConnectionOptions): string | undefined {
  if (apiKey !== undefined) return readKey('--api-key', apiKey);
  return process.env.MEMORY_API_KEY ? readKey('MEMORY_API_KEY', 'env:MEMORY_API_KEY') : undefined;
}

/** Rejects the key of the configuration file for another server than the one in the file. */
function assertSameServer({ baseUrl, apiKey }: Configuration, chosen: string): void {
  if (apiKey === undefined || baseUrl === undefined || withoutSlash(baseUrl) === withoutSlash(chosen)) return;
  throw usageError(
    '--api-key: it is missing, and the key of the configuration file belongs to another base URL. Pass env:NAME or file:PATH.',
  );
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function missing(option: string, value: string, elsewhere: string): CommandError {
  return usageError(`${option}: it is missing. Pass ${value}, or set ${elsewhere}.`);
}
