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
  for (const [token] of text.matchAll(/\\.|["{}[\]]/gs)) {
    if (token === '"') isString = !isString;
    else if (!isString) depth += '{['.includes(token) ? 1 : -1;
    // Text after the end of the JSON.
    if (depth === 0) return false;
  }
  return true;
}
