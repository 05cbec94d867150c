import { ConfigurationError } from '../errors/configuration-error.ts';
import { type OptionKind, object } from './option-kinds.ts';
import { kindOf, optionOf, optionRemedy } from './option-names.ts';

/** Checks the options of one action, and throws a `ConfigurationError` for those that are not valid. */
export class OptionChecks {
  readonly #action: string;

  /** @param action - what the caller wants, such as "list memories". */
  constructor(action: string) {
    this.#action = action;
  }

  /** Returns the options if they are an object. */
  options<Options>(options: Options): Options {
    return this.value('the options argument', options, object);
  }

  /** Throws for an option that would do nothing, and for a name in another style. Unknown names pass: an object may hold more. */
  names(options: object, allowed: readonly string[]): void {
    for (const name of Object.keys(options)) {
      const remedy = optionRemedy(name, allowed);
      const isUnset = optionOf(name) === name && (options as Record<string, unknown>)[name] === undefined;
      if (remedy && !isUnset) throw this.refuse(`the option ${JSON.stringify(name)} is not supported`, remedy, name);
    }
  }

  /** Checks the values of some options. An option of undefined is not set. */
  values(options: object, names: readonly string[]): void {
    for (const name of names) {
      const value = (options as Record<string, unknown>)[name];
      if (value !== undefined) this.value(name, value);
    }
  }

  /** Returns the value if it is valid. */
  value<Value>(name: string, value: Value, kind: OptionKind | undefined = kindOf(name)): Value {
    const [problem, remedy] = kind?.(value) ?? [];
    if (problem && remedy) throw this.refuse(`${name} ${problem}`, remedy, optionOf(name));
    return value;
  }

  refuse(problem: string, remedy: string, option?: string): ConfigurationError {
    return new ConfigurationError(`Failed to ${this.#action}: ${problem}. ${remedy}`, { option });
  }
}
