/** As it would be written in code, where JSON has no word for it as well. */
export function formatValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? JSON.stringify(value)
    : String(value);
}
