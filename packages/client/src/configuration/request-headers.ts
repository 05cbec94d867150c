import type { OptionChecks } from './option-checks.ts';

const option = 'headers';
const keyNames = /^(authorization|x-api-key)$/;

/** `fetch` sets the headers of the connection. Headers for a proxy would reach the API. */
const connectionNames =
  /^(connection|content-length|expect|host|keep-alive|proxy-(authorization|connection)|te|trailer|transfer-encoding|upgrade)$/;

/** Returns merged headers. Later ones replace earlier ones with the same name. Messages never repeat a value. */
export function mergeHeaders(
  check: OptionChecks,
  ...sources: readonly (Record<string, string> | undefined)[]
): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const [name, value] of sources.flatMap((source) => Object.entries(checkRecord(check, source ?? {})))) {
    if (value !== undefined) merged[checkName(check, name)] = checkValue(check, name, value);
  }
  return merged;
}

/** `Headers` and `Map` have no own entries and would be ignored. */
function checkRecord(check: OptionChecks, headers: Record<string, string>): Record<string, string> {
  if (isPlainRecord(headers)) return headers;
  throw check.refuse('headers is not a plain object', 'Pass an object of header names and texts.', option);
}

function isPlainRecord(value: object): boolean {
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function checkName(check: OptionChecks, name: string): string {
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
    throw check.refuse('headers contains an invalid header name', 'Use letters, digits and hyphens.', option);
  }
  const lowerCased = name.toLowerCase();
  const quoted = JSON.stringify(name);
  if (keyNames.test(lowerCased))
    throw check.refuse(`the header ${quoted} carries the API key`, 'Use the apiKey option.', option);
  if (connectionNames.test(lowerCased))
    throw check.refuse(`the header ${quoted} is set by fetch`, 'Remove it.', option);
  return lowerCased;
}

function checkValue(check: OptionChecks, name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw check.refuse(
    `the value of the header ${JSON.stringify(name)} is not one line of Latin-1 text`,
    'Encode it.',
    option,
  );
}
