const shownBefore = 60;
const shownBehind = 300;

/** @throws Error if the values are not the same JSON. Its message holds the sentence and both values. */
export function expectEqual(actual: unknown, expected: unknown, sentence: string): void {
  const actualText = toSortedJson(actual);
  const expectedText = toSortedJson(expected);
  if (actualText === expectedText) return;
  const start = firstDifference(actualText, expectedText) - shownBefore;
  throw new Error(`${sentence}: expected ${excerpt(expectedText, start)}, but got ${excerpt(actualText, start)}.`);
}

/** Resolves to the reason with which the promise rejects. */
export async function expectRejection(promise: Promise<unknown>, sentence: string): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`${sentence}: expected a rejection, but got ${excerpt(toSortedJson(value), 0)}.`);
}

/** Returns all values that the iterable yields. */
export async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const collected: Value[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

/** Returns JSON in which the order of fields does not matter and an undefined field counts as absent. */
function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (isPlainObject(part) ? sortFields(part) : part)) ?? 'undefined';
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortFields(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function firstDifference(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index += 1;
  return index;
}

function excerpt(text: string, start: number): string {
  const from = Math.max(0, start);
  const to = from + shownBefore + shownBehind;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
