import { dirname, resolve } from 'node:path';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { readPrivateFile } from './read-private-file.ts';

/** What the configuration file may hold. */
export interface Configuration {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** Path of a file with the key alone, from the folder of the configuration on. */
  apiKeyFile?: string | undefined;
}

const names = ['baseUrl', 'apiKey', 'apiKeyFile'];
const known = 'baseUrl, apiKey or apiKeyFile';

/**
 * What the file says, with the key that it leads to; nothing where there is no file.
 *
 * @throws CommandError when others can read it, or it is no configuration. No message repeats what it holds.
 */
export function readConfiguration(path: string): Configuration {
  const text = readPrivateFile(path);
  if (text === undefined) return {};
  const { apiKeyFile, ...configuration } = parseConfiguration(text, path);
  if (apiKeyFile === undefined) return configuration;
  const keyPath = resolve(dirname(path), apiKeyFile);
  const key = readPrivateFile(keyPath)?.trim();
  if (key) return { ...configuration, apiKey: key };
  throw configurationError(path, 'its apiKeyFile is missing or empty', `Write the key to ${keyPath}`);
}

function parseConfiguration(text: string, path: string): Configuration {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw configurationError(path, 'it is no JSON object', 'Write one such as {"baseUrl": "https://api.example.com"}');
  }
  const entries: [string, unknown][] = Object.entries(value);
  const unknown = entries.find(([name]) => !names.includes(name));
  if (unknown !== undefined) {
    throw configurationError(path, `${describeName(unknown[0])} is none of its names`, `Write only ${known}`);
  }
  if (!entries.every(([, entry]) => typeof entry === 'string' && entry !== '')) {
    throw configurationError(path, 'it holds something else than texts', `Write only ${known}, none empty`);
  }
  if ('apiKey' in value && 'apiKeyFile' in value) {
    throw configurationError(path, 'it has both apiKey and apiKeyFile', 'Remove one of them');
  }
  if (('apiKey' in value || 'apiKeyFile' in value) && !('baseUrl' in value)) {
    throw configurationError(path, 'it has a key and no baseUrl', 'Add the baseUrl of the server that the key is for');
  }
  return value;
}

/** What is no word may be a secret in the place of a name. */
function describeName(name: string): string {
  return /^[a-z_-]{1,24}$/i.test(name) ? JSON.stringify(name) : 'one of what it holds';
}

function parseJson(text: string): unknown {
  try {
    // Some editors of Windows begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    // The parser's own words would quote the text.
    return undefined;
  }
}

function configurationError(path: string, reason: string, advice: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to read the configuration ${path}: because ${reason}. ${advice}.`);
}
