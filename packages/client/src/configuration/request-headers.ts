import type { ConfigurationError } from '../errors/errors.ts';
import { isPlainObject } from '../validation/is-plain-object.ts';

const option = 'headers';
const keyNames = /^(authorization|x-api-key)$/;

/** `fetch` sets the headers of the connection. Headers for a proxy would reach the API. */
const connectionNames =
  /^(connection|content-length|expect|host|keep-alive|proxy-(authorization|connection)|te|trailer|transfer-encoding|upgrade)$/;

/** What refuses an option of one action. */
interface Check {
  refuse(problem: string, remedy: string, option: string): ConfigurationError;
}

/** Returns a copy of the headers with lower-cased names. Messages never repeat a value. */
export function checkHeaders(check: Check, headers: unknown): Record<string, string> {
  // `Headers` and `Map` have no own entries and would be ignored.
  if (!isPlainObject(headers))
    throw check.refuse('headers is not a plain object', 'Pass an object of header names and texts.', option);
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers as object)) {
    if (value !== undefined) checked[checkName(check, name)] = checkValue(check, name, value);
  }
  return checked;
}

function checkName(check: Check, name: string): string {
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

function checkValue(check: Check, name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw check.refuse(
    `the value of the header ${JSON.stringify(name)} is not one line of Latin-1 text`,
    'Encode it.',
    option,
  );
}
