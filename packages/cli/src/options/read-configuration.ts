import { dirname, resolve } from 'node:path';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { defaultProfile, isProfileName } from './profile-name.ts';
import { readPrivateFile } from './read-private-file.ts';

/** A saved login. */
export interface Profile {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
  /** Path of a file with only the key, relative to the configuration file. */
  apiKeyFile?: string | undefined;
  /** Whether the key may be sent over `http://` to `baseUrl`. */
  allowInsecureHttp?: boolean | undefined;
}

/** The profiles of the configuration file, by name. A map, because a profile can be named `__proto__`. */
export type Configuration = ReadonlyMap<string, Profile>;

const texts = ['baseUrl', 'apiKey', 'apiKeyFile'];

/**
 * Reads the profiles of the configuration file. Returns none if there is no file.
 *
 * @throws CommandError if other users can read the file, or it is invalid. No message repeats its content.
 */
export function readConfiguration(path: string): Configuration {
  const text = readPrivateFile(path);
  if (text === undefined) return new Map();
  const { profiles = {}, ...top } = toObject(parseJson(text), path, 'it');
  const named = Object.entries(toObject(profiles, path, 'profiles')).map(([name, value]) => {
    if (!isProfileName(name) || name === defaultProfile) {
      const names = 'letters, digits, dots, hyphens and underscores';
      throw configurationError(path, 'the name of a profile is invalid', `Use up to 64 ${names}, and not "default"`);
    }
    return [name, toProfile(toObject(value, path, 'a profile'), path)] as const;
  });
  const first = toProfile(top, path);
  return new Map([...(Object.keys(first).length > 0 ? [[defaultProfile, first] as const] : []), ...named]);
}

/**
 * Returns the key of a profile, if it has one.
 *
 * @throws CommandError if the file of the key cannot be used.
 */
export function readSavedKey({ apiKey, apiKeyFile }: Profile, path: string): string | undefined {
  if (apiKeyFile === undefined) return apiKey;
  const keyPath = resolve(dirname(path), apiKeyFile);
  const key = readPrivateFile(keyPath)?.trim();
  if (key) return key;
  throw configurationError(path, 'the file named by apiKeyFile is missing or empty', `Write the key to ${keyPath}`);
}

function toProfile(value: Record<string, unknown>, path: string): Profile {
  for (const [name, entry] of Object.entries(value)) {
    if (name === 'allowInsecureHttp') {
      if (typeof entry !== 'boolean') throw configurationError(path, `${name} is not true or false`, 'Correct it');
    } else if (!texts.includes(name)) {
      const known = 'baseUrl, apiKey, apiKeyFile, allowInsecureHttp or profiles';
      throw configurationError(path, `${describeName(name)} is not a setting`, `Use ${known}`);
    } else if (typeof entry !== 'string' || entry === '') {
      throw configurationError(path, `${name} is not a non-empty text`, 'Correct it');
    }
  }
  const hasKey = Object.hasOwn(value, 'apiKey');
  if (hasKey && Object.hasOwn(value, 'apiKeyFile')) {
    throw configurationError(path, 'it has both apiKey and apiKeyFile', 'Remove one of them');
  }
  if ((hasKey || Object.hasOwn(value, 'apiKeyFile')) && !Object.hasOwn(value, 'baseUrl')) {
    throw configurationError(path, 'it has a key but no baseUrl', 'Add the baseUrl that the key is for');
  }
  return value;
}

function toObject(value: unknown, path: string, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw configurationError(
    path,
    `${what} is not a JSON object`,
    'Correct it, or remove the file and run memory-read login',
  );
}

/** Hides a name that is not a plain word, because it could be a secret. */
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
  return new CommandError(exitCodes.usage, `Failed to read ${path}: ${reason}. ${advice}.`);
}
