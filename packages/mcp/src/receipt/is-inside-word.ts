import { isInsideCharacter } from './is-inside-character.ts';

const word = /^[\p{L}\p{M}\p{N}_\u200c\u200d]/u;
const letter = /^[\p{L}\p{M}\u200c\u200d]/u;
const digit = /^\p{N}/u;
const unspaced = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
// Signs that are written as an apostrophe, and those that stand between letters of one word in Catalan and Hebrew.
const apostrophe = /^['\u2018-\u201b\u2032\u02bc\u00b4\u0060\uff07\u00b7\u2027\u05f3\u05f4]/;
const hyphen = /^[-\u2010\u2011]/;
const minus = /^[-\u2212]/;
const numberSign = /^[.,:/\u2044]/;

/**
 * Returns whether a quote that begins or ends at an offset of a visible text would split a word or a character.
 *
 * “can’t”, “non-stop”, “3.5” and “-5” are words. Scripts without spaces can be split between any two characters.
 */
export function isInsideWord(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (isInsideCharacter(text, offset)) return true;
  const [beforeLast, before, after, next] = charactersAround(text, offset);
  if (isWord(before) && isWord(after)) return true;
  if (digit.test(after) && minus.test(before) && (beforeLast === '' || /^\s/.test(beforeLast))) return true;
  return isGlued(before, after, next) || isGlued(beforeLast, before, after);
}

/** Two code points on each side of the offset, each empty beyond the text. */
function charactersAround(text: string, offset: number): [string, string, string, string] {
  const before = [...text.slice(Math.max(0, offset - 4), offset)];
  const after = [...text.slice(offset, offset + 4)];
  return [before.at(-2) ?? '', before.at(-1) ?? '', after[0] ?? '', after[1] ?? ''];
}

function isWord(character: string): boolean {
  return word.test(character) && !unspaced.test(character);
}

/** Returns whether a sign joins two characters to one word. */
function isGlued(before: string, sign: string, after: string): boolean {
  if (!isWord(before) || !isWord(after)) return false;
  if (hyphen.test(sign)) return true;
  if (apostrophe.test(sign)) return letter.test(before) && letter.test(after);
  return numberSign.test(sign) && digit.test(before) && digit.test(after);
}
