/** The value of a JSON text; undefined, which no JSON stands for, where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
