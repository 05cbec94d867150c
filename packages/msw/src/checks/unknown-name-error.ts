import { operations } from '@memory-read/contract/operations';
import { alternatives } from './format-value.ts';

const MAX_SHOWN = 10;

/** The values of an option that names an operation, as messages show them. */
export const operationNames: readonly string[] = Object.keys(operations).map((name) => `'${name}'`);

/** Creates the error for an unknown option or value, with the supported ones. */
export function unsupportedError(action: string, subject: string, supported: readonly string[]): RangeError {
  const advice = supported.length === 0 ? 'Remove it' : `Use ${alternatives(supported)}`;
  return new RangeError(`Failed to ${action}: ${subject} is not supported. ${advice}.`);
}

/** Creates the error for a memory or an account that does not exist, with the ids of existing ones. */
export function notFoundError(action: string, subject: string, ids: readonly string[]): RangeError {
  const more = ids.length > MAX_SHOWN ? ` and ${ids.length - MAX_SHOWN} more` : '';
  const shown = ids.slice(0, MAX_SHOWN).map((id) => JSON.stringify(id));
  const advice = ids.length === 0 ? 'Add a memory first' : `Pass one of ${shown.join(', ')}${more}`;
  return new RangeError(`Failed to ${action}: ${subject} does not exist. ${advice}.`);
}
