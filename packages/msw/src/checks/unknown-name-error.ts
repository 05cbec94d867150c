import { shownValue } from './shown-value.ts';

const SHOWN = 10;

/** For a control that was given a name that nothing has: tells which there are. */
export function unknownNameError(action: string, name: unknown, existing: readonly string[]): RangeError {
  const more = existing.length > SHOWN ? ` and ${existing.length - SHOWN} more` : '';
  const names = existing.slice(0, SHOWN).map((existingName) => JSON.stringify(existingName));
  const advice = existing.length === 0 ? 'There is none yet' : `Pass one of ${names.join(', ')}${more}`;
  return new RangeError(`Failed to ${action}: because there is no ${shownValue(name)}. ${advice}.`);
}
