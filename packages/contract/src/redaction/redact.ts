import { decodeEscapes } from './decode-escapes.ts';
import { secretPattern } from './secret-pattern.ts';

const secretParameter =
  /((?:signature|credential)(?=\s{0,3}:)|(?:signature|credential|token|secret|password|policy|sig|key|(?:key|pair|access)-?id)(?=\s{0,3}=|["']\s{0,3}:))[\s\S]*/i;

/**
 * Text as it may stand in an error: without any of the API keys, without the query of a URL, without a URL's password.
 *
 * Rather too little is left than too much: nobody can tell where the query of a URL ends within a text, so all that
 * follows its beginning goes. A secret is found in escapes, in base64 and in hexadecimal too; all escapes of
 * such a text are then shown decoded.
 */
export function redact(text: string, apiKeys: Iterable<string>): string {
  const keys = [...apiKeys];
  const keyless = removeKeys(text, keys);
  const plain = decodeEscapes(keyless);
  const shown = cutQuery(removeKeys(plain, keys.map(decodeEscapes)))
    .replace(secretParameter, '$1=[redacted]')
    .replace(/\/\/[^\s/]+@/g, '//[redacted]@');
  return shown === plain ? keyless : shown;
}

/** The longest first: a key may be the beginning of another. No form of a key is shorter than the key. */
function removeKeys(text: string, apiKeys: readonly string[]): string {
  const possible = apiKeys.filter((key) => key !== '' && key.length <= text.length);
  const longestFirst = possible.sort((a, b) => b.length - a.length);
  return longestFirst.reduce((shown, apiKey) => shown.replace(secretPattern(apiKey), '[redacted]'), text);
}

/** A question mark within prose stays where nothing behind it looks like a parameter. */
function cutQuery(text: string): string {
  const start = text.indexOf('?');
  if (start === -1) return text;
  if (/[=&]/.test(text.slice(start))) return `${text.slice(0, start)}?[redacted]`;
  return text.replace(/\?\S+/g, '?[redacted]');
}
