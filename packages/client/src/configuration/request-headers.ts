import { ConfigurationError } from '../errors/configuration-error.ts';

const refusedNames = new Set(['authorization', 'x-api-key']);

/** One set of headers, later ones in place of earlier ones with the same name. Messages never repeat a value. */
export function mergeHeaders(...sources: readonly (Record<string, string> | undefined)[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const [name, value] of sources.flatMap((source) => Object.entries(source ?? {}))) {
    if (value !== undefined) merged[checkName(name)] = checkValue(name, value);
  }
  return merged;
}

function checkName(name: string): string {
  const lowerCased = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw refuseHeader(name, 'its name is no token', 'Rename it.');
  if (refusedNames.has(lowerCased)) throw refuseHeader(name, 'it carries the API key', 'Use the apiKey option.');
  return lowerCased;
}

function checkValue(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw refuseHeader(name, 'its value is no text of one line in Latin-1', 'Encode it.');
}

function refuseHeader(name: string, problem: string, remedy: string): ConfigurationError {
  return new ConfigurationError(`Failed to use the header ${JSON.stringify(name)}: because ${problem}. ${remedy}`);
}
