const MAXIMUM_CODE_POINTS = 256;

/** The memory id that a path ends with, or `undefined` when it is malformed, which is a 422 (section 4.2 of the specification). */
export function memoryIdInPath(rawPath: string): string | undefined {
  const id = decode(rawPath.slice(rawPath.lastIndexOf('/') + 1));
  if (id === undefined || controlCharacter.test(id)) return undefined;
  return isLongerThan(id, MAXIMUM_CODE_POINTS) ? undefined : id;
}

const controlCharacter = /\p{Cc}/u;

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function isLongerThan(text: string, codePoints: number): boolean {
  return text.length > codePoints && Array.from(text).length > codePoints;
}
