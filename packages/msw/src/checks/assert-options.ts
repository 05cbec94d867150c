import { formatValue } from './format-value.ts';
import { unknownNameError } from './unknown-name-error.ts';

/**
 * Refuses what types refuse, for callers that have none.
 *
 * @throws TypeError when the options are no object; RangeError when one of them is unknown.
 */
export function assertOptions(action: string, options: object, names: readonly string[]): void {
  assertObject(action, options);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownNameError(action, unknown, names);
}

/** @throws TypeError when it is none. */
export function assertObject(action: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new TypeError(`Failed to ${action}: because ${formatValue(value)} is no object. Pass one, or leave it out.`);
}
