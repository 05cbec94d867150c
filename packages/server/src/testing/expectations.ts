const maximumShownLength = 400;

/** @throws Error with the sentence and both values when they are not the same JSON. */
export function expectEqual(actual: unknown, expected: unknown, sentence: string): void {
  const actualText = toSortedJson(actual);
  const expectedText = toSortedJson(expected);
  if (actualText === expectedText) return;
  throw new Error(`${sentence}: expected ${shorten(expectedText)}, but got ${shorten(actualText)}.`);
}

/** Resolves to what the promise rejects with. */
export async function expectRejection(promise: Promise<unknown>, sentence: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`${sentence}: expected a rejection, but got ${shorten(toSortedJson(value))}.`);
}

/** All that the iterable yields. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const collected: Value[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

/** JSON in which the order of fields does not matter, and an undefined field is an absent one. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (isPlainObject(part) ? sortFields(part) : part)) ?? 'undefined';
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortFields(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shorten(text: string): string {
  return text.length <= maximumShownLength ? text : `${text.slice(0, maximumShownLength)}…`;
}
