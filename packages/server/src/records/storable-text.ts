const maximumIdLength = 256;

/** Returns the problem with a text that every store must hold and order alike, or `undefined`. */
export function textProblem(text: string): string | undefined {
  if (typeof text !== 'string') return 'is not a string';
  if (text.includes('\0')) return 'contains the character U+0000';
  if (!isWellFormed(text)) return 'is not well-formed Unicode';
  return undefined;
}

/** Returns the problem with the id of a memory, an account or a key, or `undefined`. */
export function idProblem(id: string): string | undefined {
  if (typeof id !== 'string') return 'is not a string';
  if (id === '') return 'is empty';
  if (id === '.' || id === '..') return 'is a dot segment, which URLs cannot contain';
  if (!isWellFormed(id)) return 'is not well-formed Unicode';
  if (/\p{Cc}/u.test(id)) return 'contains a control character';
  if (id.length > maximumIdLength && Array.from(id).length > maximumIdLength) {
    return `is longer than ${maximumIdLength} characters`;
  }
  return undefined;
}

/** Replaces `String.prototype.isWellFormed`, which ES2022 lacks. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
