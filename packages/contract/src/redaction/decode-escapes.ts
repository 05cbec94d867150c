// Only visible ASCII characters are decoded, because a key has no others. A run of backslashes is matched as a whole, so
// that JSON within JSON is handled once.
const anyEscape = /%(?:25)*(2[1-9a-f]|[3-6][\da-f]|7[\da-e])|\\+(?:u00(2[1-9a-f]|[3-6][\da-f]|7[\da-e]))?/gi;

/**
 * Returns a text without the escapes of visible ASCII characters: percent-encoding and the escapes of JSON, each also
 * when repeated. All backslashes are removed.
 */
export function decodeEscapes(text: string): string {
  const decoded = decodeOnce(text);
  // A key may itself contain a backslash or an escape, which the first round has decoded from an escape.
  return decoded === text ? text : decodeOnce(decodeOnce(decoded));
}

function decodeOnce(text: string): string {
  return text.replace(anyEscape, (_escape, byPercent?: string, byJson?: string) => {
    const code = byPercent ?? byJson;
    return code ? String.fromCharCode(Number(`0x${code}`)) : '';
  });
}
