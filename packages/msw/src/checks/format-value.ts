/** Formats a value as code for a message, also a value that JSON lacks. */
export function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? JSON.stringify(value)
    : String(value);
}
