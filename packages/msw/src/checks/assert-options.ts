import { formatValue } from './format-value.ts';
import { unknownNameError } from './unknown-name-error.ts';

/**
 * Rejects what the types reject, for callers without type checks.
 *
 * @throws TypeError if the options are no object; RangeError if an option is unknown.
 */
export function assertOptions(action: string, options: object, names: readonly string[]): void {
  assertObject(action, options);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownNameError(action, unknown, names);
}

/** @throws TypeError if the value is no object. */
export function assertObject(action: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new TypeError(`Failed to ${action}: because ${formatValue(value)} is no object. Pass one, or leave it out.`);
}
