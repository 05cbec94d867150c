import { ConfigurationError } from '../errors/configuration-error.ts';
import { isObject, typeName } from '../validation/shape.ts';

/** The longest delay that timers take: 2^31 - 1 milliseconds. */
export const MAXIMUM_DURATION = 2_147_483_647;

export function checkDuration(name: string, value: number | false): number | false {
  if (value === false || isDuration(value)) return value;
  throw refuseOption(name, value, 'Pass milliseconds from 1 to 2,147,483,647, or false.');
}

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= MAXIMUM_DURATION;
}

/** A duration that cannot be switched off. */
export function checkInterval(name: string, value: number): number {
  if (isDuration(value)) return value;
  throw refuseOption(name, value, 'Pass milliseconds from 1 to 2,147,483,647.');
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

export function checkObject<Value>(name: string, value: Value): Value {
  if (isObject(value)) return value;
  throw refuseOption(name, value, 'Pass an object.');
}

export function checkFlag(name: string, value: boolean): boolean {
  if (typeof value === 'boolean') return value;
  throw refuseOption(name, value, 'Pass true or false.');
}

/** A signal of another realm or of a polyfill is one too: what is asked of it is looked for, and not its class. */
export function checkSignal(value: AbortSignal | undefined): AbortSignal | undefined {
  if (value === undefined || isSignal(value)) return value;
  throw refuseOption('signal', value, 'Pass the signal of an AbortController.');
}

function isSignal(value: AbortSignal | null): boolean {
  if (typeof value?.aborted !== 'boolean' || !('reason' in value)) return false;
  return [value.addEventListener, value.removeEventListener].every((method) => typeof method === 'function');
}

export function checkOptions<Options>(options: Options): Options {
  if (isObject(options)) return options;
  throw new ConfigurationError(`Failed to use the options: because they are ${describe(options)}. Pass an object.`);
}

/** A name in the wrong case, such as `baseURL`, would be as none. What nobody knows passes: an object may hold more. */
export function checkNames(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    const meant = known.find((one) => one.toLowerCase() === name.toLowerCase());
    if (meant === undefined || meant === name) continue;
    throw new ConfigurationError(
      `Failed to use the option ${JSON.stringify(name)}: because there is none of this name. Pass ${meant}.`,
    );
  }
}

export function checkFactor(name: string, value: number): number {
  if (typeof value === 'number' && value >= 1 && value <= Number.MAX_VALUE) return value;
  throw refuseOption(name, value, 'Pass a number from 1.');
}

export function refuseOption(name: string, value: unknown, remedy: string): ConfigurationError {
  return new ConfigurationError(`Failed to use the option ${name}: because it is ${describe(value)}. ${remedy}`);
}

/** A text may be a key in the wrong place. */
function describe(value: unknown): string {
  const isHarmless = value === null || ['number', 'boolean', 'undefined'].includes(typeof value);
  return isHarmless ? String(value) : `of type ${typeName(value)}`;
}
