import { isPlainObject } from '../validation/is-plain-object.ts';
import { describe, type OptionKind } from './option-kinds.ts';

const keyNames = /^(authorization|x-api-key)$/i;

/** `fetch` sets the headers of the connection. Headers for a proxy would reach the API. */
const connectionNames =
  /^(connection|content-length|expect|host|keep-alive|proxy-(authorization|connection)|te|trailer|transfer-encoding|upgrade)$/i;

/** Accepts a record of headers. Its messages never repeat a value. */
export const headerRecord: OptionKind = (headers) => {
  // `Headers` and `Map` have no own entries and would be ignored.
  if (!isPlainObject(headers))
    return [`is ${describe(headers)}, which is not a plain object`, 'Pass an object of header names and texts.'];
  for (const [name, value] of Object.entries(headers as object)) {
    const quoted = JSON.stringify(name);
    if (value === undefined) continue;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      return ['contains an invalid header name', 'Use letters, digits and hyphens.'];
    if (keyNames.test(name)) return [`contains ${quoted}, which carries the API key`, 'Use the apiKey option.'];
    if (connectionNames.test(name)) return [`contains ${quoted}, which fetch sets`, 'Remove it.'];
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      return [`contains ${quoted}, whose value is not one line of Latin-1 text`, 'Encode it.'];
  }
  return undefined;
};

/** Returns a copy of the headers with names in lower case, so that a header replaces another of the same name. */
export function copyHeaders(headers: object): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
}
