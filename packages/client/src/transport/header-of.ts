/**
 * Returns a header of a response; null if it is absent or cannot be read.
 *
 * SvelteKit throws for headers that the app does not list, and a foreign response may have none.
 */
export function headerOf(headers: Pick<Headers, 'get'>, name: string): string | null {
  try {
    const value: unknown = headers.get(name);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Returns the headers of a response; empty ones if it has none. */
export function headersOf(response: Response): Headers {
  try {
    if (typeof response.headers.get === 'function') return response.headers;
  } catch {}
  return new Headers();
}
