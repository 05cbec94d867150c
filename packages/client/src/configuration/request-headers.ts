import { ConfigurationError } from '../errors/configuration-error.ts';

const keyNames = new Set(['authorization', 'x-api-key']);

/** What describes the connection is for `fetch` to say, and what is meant for a proxy would go to the API. */
const connectionNames = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** One set of headers, later ones in place of earlier ones with the same name. Messages never repeat a value. */
export function mergeHeaders(...sources: readonly (Record<string, string> | undefined)[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const [name, value] of sources.flatMap((source) => Object.entries(checkRecord(source ?? {})))) {
    if (value !== undefined) merged[checkName(name)] = checkValue(name, value);
  }
  return merged;
}

/** `Headers`, a `Map` and the like have no entries of their own, and would be as none. */
function checkRecord(headers: Record<string, string>): Record<string, string> {
  if (isPlainRecord(headers)) return headers;
  throw new ConfigurationError(
    'Failed to use the option headers: because it is no plain record. Pass an object of names and texts.',
  );
}

function isPlainRecord(value: object): boolean {
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function checkName(name: string): string {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    throw new ConfigurationError('Failed to use a header: because its name is no token. Rename it.');
  }
  const lowerCased = name.toLowerCase();
  if (keyNames.has(lowerCased)) throw refuseHeader(name, 'it carries the API key', 'Use the apiKey option.');
  if (connectionNames.has(lowerCased)) throw refuseHeader(name, 'it belongs to the connection', 'Leave it to fetch.');
  return lowerCased;
}

function checkValue(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw refuseHeader(name, 'its value is no text of one line in Latin-1', 'Encode it.');
}

function refuseHeader(name: string, problem: string, remedy: string): ConfigurationError {
  return new ConfigurationError(`Failed to use the header ${JSON.stringify(name)}: because ${problem}. ${remedy}`);
}
