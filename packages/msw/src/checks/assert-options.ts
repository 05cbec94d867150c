import { refuseOptions } from '@memory-read/contract/options';
import { formatValue } from './format-value.ts';

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
  const refused = refuseOptions(argument.value, names);
  if (refused) throw new RangeError(`Failed to ${action}: ${refused.reason}. ${refused.advice}.`);
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
