/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a text that is not JSON begins as an object or array, and ends within it. */
export function isCutJson(text: string): boolean {
  let depth = 0;
  let isString = false;
  if (!/^\s*[[{]\s*(?:["[{\d-]|$)/.test(text)) return false;
  // A regular expression would take seconds for a long text.
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x5c) index += 1;
    else if (code === 0x22) isString = !isString;
    else if (isString) continue;
    // Brackets differ from braces in one bit.
    else if ((code | 0x20) === 0x7b) depth += 1;
    else if ((code | 0x20) === 0x7d) depth -= 1;
    else continue;
    // Text after the end of the JSON.
    if (depth === 0) return false;
  }
  return true;
}
