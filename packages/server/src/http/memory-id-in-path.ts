const MAXIMUM_CODE_POINTS = 256;

/** Returns the memory id at the end of a path. A malformed id is `undefined`, which leads to a 422 (section 4.2). */
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
