/**
 * The rules for options of all packages: an unknown one is refused, and so is a number out of its range. Not stable:
 * functions may change in a minor version.
 *
 * @packageDocumentation
 */

/** Why options are refused, and what to do instead, both without a full stop. */
export interface RefusedOptions {
  /** Name of the option; undefined if the options are not an object. */
  readonly name: string | undefined;
  /** What is wrong. It contains names, but no value of an option. */
  readonly reason: string;
  /** What the caller can do. */
  readonly advice: string;
}

/** Returns why a caller cannot pass these options, or undefined. A misspelt option would have no effect. */
export function refuseOptions(options: unknown, names: readonly string[]): RefusedOptions | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return { name: undefined, reason: 'the options argument is not an object', advice: 'Pass an object' };
  }
  const name = findUnknownOption(options, names);
  if (name === undefined) return undefined;
  return { name, reason: unsupportedOption(name), advice: useAnother(names, name) };
}

/** Returns what the caller can use in place of a wrong name. */
export function useAnother(names: readonly string[], wrong: string): string {
  const [only] = names;
  if (only === undefined) return 'Remove it';
  return names.length === 1 ? `Use ${only}` : useOneOf(names, wrong);
}

/** Returns the name of the first unknown option. One that is undefined has no effect under any name, so it is allowed. */
export function findUnknownOption(options: object, names: readonly string[]): string | undefined {
  return Object.keys(options).find((name) => !names.includes(name) && options[name as never] !== undefined);
}

/** Returns the reason why an option is refused. */
export function unsupportedOption(name: string): string {
  return `the option ${JSON.stringify(name)} is not supported`;
}

/** Returns why a value is not a whole number of a range. No text is repeated: it could be a key in the wrong place. */
export function refuseNumber(
  name: string,
  value: unknown,
  [from, to]: readonly [from: number, to: number],
): RefusedOptions | undefined {
  if (Number.isInteger(value) && Number(value) >= from && Number(value) <= to) return undefined;
  const isShown = value === null || ['number', 'boolean', 'undefined'].includes(typeof value);
  const range = `from ${from} to ${to.toLocaleString('en')}`;
  const reason = `${name} is ${isShown ? value : `of type ${typeof value}`}, which is not a whole number ${range}`;
  return { name, reason, advice: 'Pass such a number, or leave it out' };
}

/** Returns the advice with the nearest name first: the one that shares most pairs of letters. */
export function useOneOf(names: readonly string[], wrong: string): string {
  const text = wrong.toLowerCase();
  // The first letter has none before it, and stands after a text that no name has.
  const isShared = (letter: string, index: number, letters: string[]) => text.includes(letters[index - 1] + letter);
  const nearness = (name: string) => [...name.toLowerCase()].filter(isShared).length / name.length;
  return `Use one of: ${[...names].sort((one, other) => nearness(other) - nearness(one)).join(', ')}`;
}
