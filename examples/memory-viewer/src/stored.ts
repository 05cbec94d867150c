/** What this browser keeps: `localStorage` for good, `sessionStorage` for a reload. A browser that forbids it keeps nothing. */
export function stored(storage: 'localStorage' | 'sessionStorage'): Partial<Record<string, string>> {
  try {
    return window[storage] as Partial<Record<string, string>>;
  } catch {
    return {};
  }
}
