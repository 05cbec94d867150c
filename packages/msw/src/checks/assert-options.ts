import { formatValue } from './format-value.ts';
import { unsupportedError } from './unknown-name-error.ts';

/** An argument or option, with the name that messages give it. */
export interface Argument {
  name: string;
  value: unknown;
}

/**
 * Rejects what the types reject, for callers without type checks.
 *
 * @throws TypeError if the options are not an object; RangeError if an option is unknown.
 */
export function assertOptions(action: string, argument: Argument, names: readonly string[]): void {
  assertObject(action, argument);
  const unknown = Object.keys(argument.value as object).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unsupportedError(action, `the option ${JSON.stringify(unknown)}`, names);
}

/** @throws TypeError if the value is not an object. */
export function assertObject(action: string, argument: Argument): void {
  const problem = objectProblem(argument);
  if (problem !== undefined) throw new TypeError(`Failed to ${action}: ${problem}. Pass an object.`);
}

/** Returns why a value is not an object. It does not repeat a text, which could be a key in the wrong place. */
export function objectProblem({ name, value }: Argument): string | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  const described = Array.isArray(value) ? 'an array' : typeof value === 'string' ? 'a string' : formatValue(value);
  return `${name} is ${described}, which is not an object`;
}
