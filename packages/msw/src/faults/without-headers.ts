/** Returns the other headers, as MSW 2 accepts them: it replaces Headers by a class that refuses another instance. */
export function withoutHeaders(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !names.includes(name)));
}
