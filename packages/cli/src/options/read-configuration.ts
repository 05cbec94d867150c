import { dirname, resolve } from 'node:path';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { readPrivateFile } from './read-private-file.ts';

/** Content of the configuration file. */
export interface Configuration {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** Path of a file with only the key, relative to the configuration file. */
  apiKeyFile?: string | undefined;
}

const names = ['baseUrl', 'apiKey', 'apiKeyFile'];
const known = 'baseUrl, apiKey or apiKeyFile';

/**
 * Reads the configuration file and the key that it names. Returns an empty configuration if there is no file.
 *
 * @throws CommandError if other users can read the file, or it is invalid. No message repeats its content.
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
    throw configurationError(
      path,
      'it is not a JSON object',
      'Write one such as {"baseUrl": "https://api.example.com"}',
    );
  }
  const entries: [string, unknown][] = Object.entries(value);
  const unknown = entries.find(([name]) => !names.includes(name));
  if (unknown !== undefined) {
    throw configurationError(path, `${describeName(unknown[0])} is not a known name`, `Write only ${known}`);
  }
  if (!entries.every(([, entry]) => typeof entry === 'string' && entry !== '')) {
    throw configurationError(path, 'it contains a value that is not a string', `Write only ${known}, none empty`);
  }
  if ('apiKey' in value && 'apiKeyFile' in value) {
    throw configurationError(path, 'it has both apiKey and apiKeyFile', 'Remove one of them');
  }
  if (('apiKey' in value || 'apiKeyFile' in value) && !('baseUrl' in value)) {
    throw configurationError(path, 'it has a key but no baseUrl', 'Add the baseUrl of the server that the key is for');
  }
  return value;
}

/** Hides a name that is not a plain word, because it may be a secret. */
function describeName(name: string): string {
  return /^[a-z_-]{1,24}$/i.test(name) ? JSON.stringify(name) : 'a name';
}

function parseJson(text: string): unknown {
  try {
    // Some Windows editors start a file with a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    // The message of the parser would quote the text.
    return undefined;
  }
}

function configurationError(path: string, reason: string, advice: string): CommandError {
  return new CommandError(exitCodes.usage, `Failed to read the configuration ${path}: ${reason}. ${advice}.`);
}
