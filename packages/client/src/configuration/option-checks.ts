import { ConfigurationError } from '../errors/errors.ts';
import { type OptionKind, plainObject, plainRemedy } from './option-kinds.ts';
import { clientNames, kindOf, optionOf, optionRemedy } from './option-names.ts';
import { checkHeaders } from './request-headers.ts';

/** Checks the options of one action, and throws a `ConfigurationError` for those that are not valid. */
export class OptionChecks {
  readonly #action: string;

  /** @param action - what the caller wants, such as "list memories". */
  constructor(action: string) {
    this.#action = action;
  }

  /**
   * Returns a checked copy of the options, without undefined ones, so that a later change of the caller's
   * object has no effect.
   *
   * Throws for an option that has no effect, and for a name in another style. Unknown names pass: an object may hold
   * more.
   */
  settle<Options extends object>(options: Options, allowed: readonly string[]): Options {
    const given = this.value('the options argument', options, plainObject) as Record<string, unknown>;
    for (const name of Object.keys(given)) {
      const remedy = optionRemedy(name, allowed);
      if (remedy && !(optionOf(name) === name && given[name] === undefined))
        throw this.refuse(`the option ${JSON.stringify(name)} is not supported`, remedy, name);
    }
    const settled: Record<string, unknown> = {};
    for (const name of allowed) {
      // Read once, because a getter can return another value next time.
      const value = given[name];
      if (value === undefined) {
        if (allowed !== clientNames && name === 'apiKey') this.refuseUndefinedKey(given);
        continue;
      }
      if (!Object.prototype.propertyIsEnumerable.call(given, name))
        throw this.refuse(`${name} is inherited or not enumerable`, plainRemedy, name);
      this.value(name, value);
      settled[name] = name === 'headers' ? checkHeaders(this, value) : value;
    }
    return settled as Options;
  }

  /** A missing key of a tenant must not read the account of the client. */
  refuseUndefinedKey(options: object): void {
    if (Object.hasOwn(options, 'apiKey'))
      throw this.refuse('apiKey is undefined', 'Pass the key, or leave apiKey out.', 'apiKey');
  }

  /** Settles the options at once. An error is thrown only when the function that it returns is called. */
  settleLater<Options extends object>(options: Options, allowed: readonly string[]): () => Options {
    try {
      const settled = this.settle(options, allowed);
      return () => settled;
    } catch (error) {
      return () => {
        throw error;
      };
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

export function isOwnUndefined(options: object, name: string): boolean {
  return Object.hasOwn(options, name) && (options as Record<string, unknown>)[name] === undefined;
}
