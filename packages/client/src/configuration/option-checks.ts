import { ConfigurationError } from '../errors/configuration-error.ts';
import { isObject, typeName } from '../validation/shape.ts';
import { optionOf, optionRemedy, plainName } from './option-names.ts';

/** Maximum delay of a timer: 2^31 - 1 milliseconds. */
export const MAXIMUM_DURATION = 2_147_483_647;

/** Checks the options of one action. Each method returns a valid value and throws a `ConfigurationError` for any other. */
export class OptionChecks {
  readonly #action: string;

  /** @param action - what the caller wants, such as "list memories". */
  constructor(action: string) {
    this.#action = action;
  }

  duration(name: string, value: number | false): number | false {
    if (value === false || isDuration(value)) return value;
    throw this.refuseValue(name, value, durationExpected, 'Pass milliseconds, or false.');
  }

  /** Checks a duration that cannot be switched off. */
  interval(name: string, value: number): number {
    if (isDuration(value)) return value;
    throw this.refuseValue(name, value, durationExpected, 'Pass milliseconds.');
  }

  optionalInterval(name: string, value: number | undefined): number | undefined {
    return value === undefined ? value : this.interval(name, value);
  }

  count(name: string, value: number, range = 'of at least 0', minimum = 0, maximum = Number.MAX_SAFE_INTEGER): number {
    if (Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value;
    throw this.refuseValue(name, value, `a whole number ${range}`, `Pass a number ${range}.`);
  }

  /** The maximum is the longest text of V8. */
  maxResponseBytes(value = 268_435_456): number {
    return this.count('maxResponseBytes', value, 'from 1 to 536,870,888', 1, 536_870_888);
  }

  factor(name: string, value: number): number {
    if (typeof value === 'number' && value >= 1 && value <= Number.MAX_VALUE) return value;
    throw this.refuseValue(name, value, 'a number of at least 1', 'Pass 1 or more.');
  }

  choice<Choice extends string>(name: string, value: Choice, choices: readonly Choice[]): Choice {
    if (choices.includes(value)) return value;
    const quoted = choices.map((choice) => `'${choice}'`);
    const remedy = `Use ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}.`;
    throw this.refuse(`${name} is ${describeChoice(value, choices)}, which is not supported`, remedy, optionOf(name));
  }

  function<Value>(name: string, value: Value): Value {
    if (value === undefined || typeof value === 'function') return value;
    throw this.refuseValue(name, value, 'a function', 'Pass a function, or leave it out.');
  }

  object<Value>(name: string, value: Value): Value {
    if (isObject(value)) return value;
    throw this.refuseValue(name, value, 'an object', 'Pass an object.');
  }

  flag(name: string, value: boolean): boolean {
    if (typeof value === 'boolean') return value;
    throw this.refuseValue(name, value, 'a boolean', 'Pass true or false.');
  }

  /** Accepts the signal of another realm or of a polyfill too: it checks what the client uses, not the class. */
  signal(value: AbortSignal | undefined): AbortSignal | undefined {
    if (value === undefined || isSignal(value)) return value;
    throw this.refuseValue('signal', value, 'an AbortSignal', 'Pass the signal of an AbortController.');
  }

  options<Options>(options: Options): Options {
    return this.object('the options argument', options);
  }

  /** Throws for an option that would do nothing, and for a name in another style. Unknown names pass: an object may hold more. */
  names(options: object, allowed: readonly string[]): void {
    for (const name of Object.keys(options)) {
      const remedy = optionRemedy(name, allowed);
      const isUnset = optionOf(name) === name && (options as Record<string, unknown>)[name] === undefined;
      if (remedy && !isUnset) throw this.refuse(`the option ${JSON.stringify(name)} is not supported`, remedy, name);
    }
  }

  refuseValue(name: string, value: unknown, expected: string, remedy: string): ConfigurationError {
    return this.refuse(`${name} is ${describe(value)}, which is not ${expected}`, remedy, optionOf(name));
  }

  refuse(problem: string, remedy: string, option?: string): ConfigurationError {
    return new ConfigurationError(`Failed to ${this.#action}: ${problem}. ${remedy}`, { option });
  }
}

const durationExpected = 'a number from 1 to 2,147,483,647';

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= MAXIMUM_DURATION;
}

function isSignal(value: AbortSignal | null): boolean {
  if (typeof value?.aborted !== 'boolean' || !('reason' in value)) return false;
  return [value.addEventListener, value.removeEventListener].every((method) => typeof method === 'function');
}

/** Describes a value without repeating a text: it may be a key in the wrong place. */
export function describe(value: unknown): string {
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  const type = typeName(value);
  return `${/^[ao]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** Repeats a text only if it differs from a choice in nothing but its case and separators. */
function describeChoice(value: unknown, choices: readonly string[]): string {
  if (typeof value !== 'string') return describe(value);
  return choices.some((choice) => plainName(choice) === plainName(value)) ? `'${value}'` : 'an unknown text';
}
