/** Formats a value as code for a message, also a value that JSON lacks. */
export function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? JSON.stringify(value)
    : String(value);
}

/** Returns texts as a list, such as "a, b or c". */
export function alternatives(texts: readonly string[]): string {
  const others = texts.slice(0, -1).join(', ');
  return others === '' ? texts.join('') : `${others} or ${texts.at(-1)}`;
}

export const functionAdvice = 'Pass a function, or leave it out';
