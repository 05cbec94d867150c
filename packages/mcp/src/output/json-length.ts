/** Returns how long a value is as JSON. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
