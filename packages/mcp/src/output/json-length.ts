/** Returns the length of a value as JSON. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
