import { formatValue } from './format-value.ts';

const MAX_SHOWN = 10;

/** Creates the error for an unknown name, with the existing names. */
export function unknownNameError(action: string, name: unknown, existing: readonly string[]): RangeError {
  const more = existing.length > MAX_SHOWN ? ` and ${existing.length - MAX_SHOWN} more` : '';
  const names = existing.slice(0, MAX_SHOWN).map((existingName) => JSON.stringify(existingName));
  const advice = existing.length === 0 ? 'There is none yet' : `Pass one of ${names.join(', ')}${more}`;
  return new RangeError(`Failed to ${action}: because there is no ${formatValue(name)}. ${advice}.`);
}
