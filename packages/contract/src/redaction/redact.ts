import { decodeEscapes } from './decode-escapes.ts';
import { replaceControls } from './replace-controls.ts';
import { secretPattern } from './secret-pattern.ts';

const secretParameter =
  /((?:signature|credential)(?=\s{0,3}:)|(?:signature|credential|token|secret|password|policy|sig|key|(?:key|pair|access)-?id)(?=\s{0,3}=|["']\s{0,3}:)).*/is;

/**
 * Returns a text without API keys, queries of URLs, passwords in URLs and credentials of `Authorization` headers.
 *
 * The end of a query within a text is unknown, so everything after its beginning is removed. Keys are also found in
 * percent-encoding, in escapes of JSON and in base64. All escapes of such a text are then decoded. Control characters
 * become U+FFFD, because the text of a server could otherwise control the terminal that shows a log. See section 5 of
 * the specification.
 */
export function redact(text: string, apiKeys: Iterable<string>): string {
  const keys = [...apiKeys];
  const keyless = removeKeys(text, keys);
  const plain = decodeEscapes(keyless);
  const shown = cutQuery(removeKeys(plain, keys.map(decodeEscapes)))
    .replace(secretParameter, '$1=[redacted]')
    .replace(/\/\/[^\s/]+@/g, '//[redacted]@')
    .replace(/(authorization\W{1,4}(?:basic|bearer)\s+)[\w+/.~-]{4,}=*/gi, '$1[redacted]');
  return replaceControls(shown === plain ? keyless : shown);
}

/** Returns a text without API keys. The longest one comes first, because a key can be the beginning of another one. */
export function removeKeys(text: string, apiKeys: readonly string[]): string {
  const possible = apiKeys.filter((key) => key !== '' && key.length <= text.length);
  const longestFirst = possible.sort((a, b) => b.length - a.length);
  return longestFirst.reduce((shown, apiKey) => shown.replace(secretPattern(apiKey), '[redacted]'), text);
}

/** A question mark in prose stays if no parameter follows it. */
function cutQuery(text: string): string {
  const start = text.indexOf('?');
  if (start === -1) return text;
  if (/[=&]/.test(text.slice(start))) return `${text.slice(0, start)}?[redacted]`;
  return text.replace(/\?\S+/g, '?[redacted]');
}
