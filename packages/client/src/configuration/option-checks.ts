import { ConfigurationError } from '../errors/configuration-error.ts';

/** The longest delay that timers take: 2^31 - 1 milliseconds. */
export const MAXIMUM_DURATION = 2_147_483_647;

export function checkDuration(name: string, value: number | false): number | false {
  if (value === false || (typeof value === 'number' && value >= 1 && value <= MAXIMUM_DURATION)) return value;
  throw refuseOption(name, value, 'Pass milliseconds from 1 to 2,147,483,647, or false.');
}

export function checkCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw refuseOption(name, value, 'Pass a whole number from 0.');
}

export function checkChoice<Choice extends string>(name: string, value: Choice, choices: readonly Choice[]): Choice {
  if (choices.includes(value)) return value;
  throw refuseOption(name, value, `Pass one of ${choices.map((choice) => `'${choice}'`).join(', ')}.`);
}

export function checkFunction<Value>(name: string, value: Value): Value {
  if (value === undefined || typeof value === 'function') return value;
  throw refuseOption(name, value, 'Pass a function.');
}

export function checkFlag(name: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw refuseOption(name, value, 'Pass true or false.');
}

/** A signal of another realm or of a polyfill is one too. */
export function checkSignal(value: AbortSignal | undefined): AbortSignal | undefined {
  if (value === undefined || typeof value?.throwIfAborted === 'function') return value;
  throw refuseOption('signal', value, 'Pass the signal of an AbortController.');
}

export function checkOptions<Options>(options: Options): Options {
  if (typeof options === 'object' && options !== null) return options;
  throw new ConfigurationError(`Failed to use the options: because they are ${describe(options)}. Pass an object.`);
}

function refuseOption(name: string, value: unknown, remedy: string): ConfigurationError {
  return new ConfigurationError(`Failed to use the option ${name}: because it is ${describe(value)}. ${remedy}`);
}

/** A text may be a key in the wrong place. */
function describe(value: unknown): string {
  const isHarmless = value === null || ['number', 'boolean', 'undefined'].includes(typeof value);
  return isHarmless ? String(value) : `of type ${typeof value}`;
}
