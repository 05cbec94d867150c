const kinds = {
  array: ['an array', Array.isArray],
  function: ['a function', (value: unknown) => typeof value === 'function'],
  object: ['an object', (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  port: ['a whole number from 0 to 65535', isPort],
  string: ['a string', (value: unknown) => typeof value === 'string'],
} as const;

/**
 * Checks what plain JavaScript can leave out or mix up. Each key is the path of a value, such as `store.getMemory`. A
 * `?` after a name says that the value can be undefined.
 *
 * @throws TypeError that names the first wrong value, and does not contain it.
 */
export function assertOptions(
  purpose: string,
  options: unknown,
  expected: Readonly<Record<string, keyof typeof kinds>>,
  advice: string,
): void {
  for (const [path, kind] of Object.entries(expected)) {
    const [name, isOfKind] = kinds[kind];
    const value = valueAt(options, path);
    if (value === leftOut || isOfKind(value)) continue;
    throw new TypeError(`Failed to ${purpose}: ${path.replaceAll('?', '')} is not ${name}. ${advice}.`);
  }
}

const leftOut = Symbol('left out');

function valueAt(options: unknown, path: string): unknown {
  let value = options;
  for (const name of path.split('.')) {
    value = (value as Record<string, unknown> | null | undefined)?.[name.replace('?', '')];
    if (value === undefined && name.endsWith('?')) return leftOut;
  }
  return value;
}

function isPort(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;
}
