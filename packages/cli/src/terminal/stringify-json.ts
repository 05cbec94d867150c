import { CommandError, exitCodes } from './command-error.ts';

/**
 * Returns a value as JSON text.
 *
 * @throws CommandError if objects or lists in it are nested too deeply: the server decides what unknown fields hold.
 */
export function stringifyJson(value: unknown, toText: (value: unknown) => string = (it) => JSON.stringify(it)): string {
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
