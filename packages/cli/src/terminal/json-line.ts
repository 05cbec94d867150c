import { visibleText } from './visible-text.ts';

/**
 * A value as a line of JSON Lines. `--json` shows on terminals too: what would move the cursor there is escaped. Halves
 * of characters become U+FFFD, because readers such as jq stop at them.
 */
export function jsonLine(value: unknown): string {
  return `${visibleText(withWholeCharacters(JSON.stringify(value)))}\n`;
}

/** In JSON, what is escaped as a surrogate has no other half; a backslash that is escaped itself begins no escape. */
function withWholeCharacters(json: string): string {
  return json.replace(/\\\\|\\ud[89a-f][\da-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));
}
