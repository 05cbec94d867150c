import { CommandError, exitCodes } from './command-error.ts';
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

export function safeJson(value: unknown, toText?: (value: unknown) => string): string {
  return visibleText(withWholeCharacters(stringifyJson(value, toText)));
}

/** Replaces escaped lone surrogates. An escaped backslash does not begin an escape. */
function withWholeCharacters(json: string): string {
  return json.replace(/\\\\|\\ud[89a-f][\da-f]{2}/g, (found) => (found === '\\\\' ? found : '\ufffd'));
}

/**
 * Returns a value as JSON text.
 *
 * @throws CommandError if objects or lists in it are nested too deeply: the server decides what unknown fields hold.
 */
function stringifyJson(value: unknown, toText: (value: unknown) => string = (it) => JSON.stringify(it)): string {
  try {
    return toText(value);
  } catch (cause) {
    // The engine reports an exhausted stack in this way.
    if (Object(cause).name !== 'RangeError') throw cause;
    throw new CommandError(
      exitCodes.failed,
      'Failed to write JSON: a field that the API does not specify is nested too deeply. Choose another format, or report it to the operator of the API.',
      { cause },
    );
  }
}
