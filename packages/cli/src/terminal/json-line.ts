import { stringifyJson } from './stringify-json.ts';
import { visibleText } from './visible-text.ts';

/**
 * Returns a value as a line of JSON Lines.
 *
 * Control characters are escaped, because `--json` can print to a terminal. Lone surrogates become U+FFFD, because
 * readers such as jq stop at them.
 */
export function jsonLine(value: unknown): string {
  return `${safeJson(value)}\n`;
}

/** Returns a value as JSON that is safe on a terminal. */
export function safeJson(value: unknown, toText?: (value: unknown) => string): string {
  return visibleText(withWholeCharacters(stringifyJson(value, toText)));
}

/** Replaces escaped lone surrogates. An escaped backslash does not begin an escape. */
function withWholeCharacters(json: string): string {
  return json.replace(/\\\\|\\ud[89a-f][\da-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));
}
