import { unsupportedOption, useOneOf } from '@memory-read/contract/options';
import type { ConfigurationError } from '../errors/errors.ts';
import { type OptionKind, plainObject } from './option-kinds.ts';
import { refuseOption } from './refuse-option.ts';
import { copyHeaders, headerRecord } from './request-headers.ts';

/** The options of an action, with what each of them accepts. */
export type OptionTable = Readonly<Record<string, OptionKind>>;

/**
 * Returns a checked copy of the options without undefined ones.
 *
 * @param action - what the caller wants, such as "list memories".
 */
export function checkOptions<Options extends object>(action: string, table: OptionTable, given: Options): Options {
  checkValue(action, 'the options argument', given, plainObject);
  const settled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const isKnown = Object.hasOwn(table, name);
    // A missing key of a tenant must not read the account of the client.
    if (value === undefined && (isKnown || name !== 'apiKey')) continue;
    if (!isKnown) throw refuseName(action, name, Object.keys(table));
    const kind = table[name];
    checkValue(action, name, value, kind);
    // The caller may change the record later.
    settled[name] = kind === headerRecord ? copyHeaders(value) : value;
  }
  return settled as Options;
}

/** Checks the options at once. An error is thrown only when the function that it returns is called. */
export function checkOptionsLater<Options extends object>(
  ...parameters: [action: string, table: OptionTable, given: Options]
): () => Options {
  try {
    const settled = checkOptions(...parameters);
    return () => settled;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Returns the value if it is valid. */
export function checkValue<Value>(action: string, name: string, value: Value, kind: OptionKind | undefined): Value {
  const wrong = kind?.(value);
  // A name of several words is an argument, and one with a dot belongs to an option.
  const option = name.includes(' ') ? undefined : name.replace(/\..*/, '');
  if (wrong) throw refuseOption(action, `${name} ${wrong[0]}`, wrong[1], option);
  return value;
}

function refuseName(action: string, name: string, allowed: readonly string[]): ConfigurationError {
  const remedy =
    name === 'apiKey' ? 'A client is one account: use withOptions({ apiKey }).' : `${useOneOf(allowed, name)}.`;
  return refuseOption(action, unsupportedOption(name), remedy, name);
}
