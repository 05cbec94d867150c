import { refuseOptions } from '@memory-read/contract/options';

const kinds = {
  any: ['', () => true],
  array: ['an array', Array.isArray],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  object: ['an object', (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  port: ['a whole number from 0 to 65535', isPort],
  string: ['a string', (value: unknown) => typeof value === 'string'],
} as const;

/** Values by their path, such as `store.getMemory`. A `?` after a name says that the value can be undefined. */
type Parts = Readonly<Record<string, keyof typeof kinds>>;

/**
 * Checks the options of a caller without type checks: no name is unknown, and each part has its kind.
 *
 * @throws TypeError that names the first wrong value, and does not contain it.
 */
export function assertOptions(purpose: string, options: unknown, parts: Parts, advice: string): void {
  const names = Object.keys(parts).map((path) => path.replace(/[?.].*/, ''));
  const isObject = kinds.object[1](options);
  const refused = isObject ? refuseOptions(options, [...new Set(names)]) : undefined;
  if (refused) throw new TypeError(`Failed to ${purpose}: ${refused.reason}. ${refused.advice}.`);
  assertParts(purpose, options, parts, advice);
}

/** The same for arguments and records, which can have further parts. */
export function assertParts(purpose: string, value: unknown, parts: Parts, advice: string): void {
  for (const [path, kind] of Object.entries(parts)) {
    const [name, isOfKind] = kinds[kind];
    const part = partAt(value, path);
    if (part === leftOut || isOfKind(part)) continue;
    throw new TypeError(`Failed to ${purpose}: ${path.replaceAll('?', '')} is not ${name}. ${advice}.`);
  }
}

const leftOut = Symbol('left out');

function partAt(whole: unknown, path: string): unknown {
  let value = whole;
  for (const name of path.split('.')) {
    value = (value as Record<string, unknown> | null | undefined)?.[name.replace('?', '')];
    if (value === undefined && name.endsWith('?')) return leftOut;
  }
  return value;
}

function isPort(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;
}
