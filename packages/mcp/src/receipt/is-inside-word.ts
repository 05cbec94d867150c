import { isInsideCharacter } from './is-inside-character.ts';
import { apostrophes, hyphens } from './signs.ts';

const word = /^[\p{L}\p{M}\p{N}_\u200c\u200d]/u;
const digit = /^\p{N}/u;
const unspaced = /^(?!\p{Nd})[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
// Signs that stand between letters of one word in Catalan and Hebrew belong to these.
const glue = new RegExp(`^[${apostrophes}${hyphens}\\u00b7\\u2027\\u2219\\u22c5\\u05f3\\u05f4]`);
const numberSign = /^[.,:/^\u060c\u066b\u066c\u2044\uff0c\uff0e\uff0f\uff1a]/;
const hebrew = /^\p{scx=Hebr}/u;
const quotationMark = /^["\u201c-\u201f]/;
// A number with a sign, with or without a currency, or one that begins with its decimal separator. U+2212, which is never
// a hyphen, can stand apart from its number.
const amount = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}\\p{Pd}_])(?:\\p{Sc}?(?:[${hyphens}]|\\u2212 )(?:\\p{Lu}{0,3}\\p{Sc})?[.\\u00b7\\u066b]?|(?<![.…])[.\\u00b7\\u066b])\\p{N}`,
  'gu',
);
const NEAR = 8;

/**
 * Returns whether a quote that begins or ends at an offset of a visible text would split a word or a character.
 *
 * “can’t”, “non-stop”, “3.5”, “1 500”, “-5” and “-$5” are words. Scripts without spaces can be split between any two
 * characters.
 */
export function isInsideWord(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (isInsideCharacter(text, offset)) return true;
  const [beforeLast, before, after, next] = charactersAround(text, offset);
  if (isWord(before) && isWord(after)) return true;
  if (isGlued(before, after, next) || isGlued(beforeLast, before, after)) return true;
  return isInsideAmount(text, offset) || isBesideGroup(text, offset);
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
  if (glue.test(sign)) return true;
  // Hebrew is often typed with quotation marks as signs of abbreviation.
  if (quotationMark.test(sign)) return hebrew.test(before) && hebrew.test(after);
  return numberSign.test(sign) && digit.test(before) && digit.test(after);
}

function isInsideAmount(text: string, offset: number): boolean {
  const start = Math.max(0, offset - NEAR);
  const near = text.slice(start, offset + NEAR);
  return [...near.matchAll(amount)].some(({ index, 0: { length } }) => {
    const from = start + index;
    return from < offset && offset < from + length;
  });
}

/** Groups of digits are often separated by a space. In a visible text, it is the same as any other space. */
function isBesideGroup(text: string, offset: number): boolean {
  const space = text[offset] === ' ' ? offset : offset - 1;
  if (text[space] !== ' ') return false;
  const before = text.slice(Math.max(0, space - 4), space);
  const after = text.slice(space + 1, space + 5);
  return /(?<!\p{Nd})\p{Nd}{1,3}$/u.test(before) && /^\p{Nd}{3}(?!\p{Nd})/u.test(after);
}
