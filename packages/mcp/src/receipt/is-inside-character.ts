// Matches characters that extend the one before them: marks, joiners, tones of emoji, and letters that are written as
// marks.
const extension = /^(?:[\p{M}\u0e33\u0eb3\uff9e\uff9f]|\p{EMod}|\u200c|\u200d)/u;
const regional = /^\p{RI}/u;

/** Returns whether an offset of a visible text splits a user-perceived character. */
export function isInsideCharacter(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1))) return true;
  if (/[\u200c\u200d]/.test(text[offset - 1] as string)) return true;
  const next = text.slice(offset, offset + 2);
  return extension.test(next) || (regional.test(next) && isHalfOfFlag(text, offset));
}

/** Flags are pairs: an odd number of regional indicators before the offset leaves one open. */
function isHalfOfFlag(text: string, offset: number): boolean {
  let before = offset;
  while (before >= 2 && regional.test(text.slice(before - 2, before))) before -= 2;
  return ((offset - before) / 2) % 2 === 1;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
