/** Percent-encodes everything but letters, digits, `-`, `.`, `_` and `~`, as signatures require. */
export function encodeRfc3986(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
