import { isUnspaced } from '@memory-read/client/transcript';
import { isInsideCharacter } from '@memory-read/contract/visible-text';
import { type WordSigns, wordSigns } from './signs.ts';

const digit = /^\p{N}/u;
const decimal = /^\p{Nd}/u;
const hebrew = /^\p{scx=Hebr}/u;
const quotationMark = /^["\u201c-\u201f]/;
const NEAR = 8;

/**
 * Returns whether a quote that begins or ends at an offset of a visible text would split a word or a character.
 *
 * “1 500” is a word, too. Scripts without spaces can be split between any two characters.
 */
export function isInsideWord(text: string, offset: number, signs: WordSigns = wordSigns): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (isInsideCharacter(text, offset)) return true;
  const [beforeLast, before, after, next] = charactersAround(text, offset);
  if (isWord(before, signs) && isWord(after, signs)) return true;
  if (signs.numeral.test(before) && signs.numeral.test(after)) return true;
  if (isGlued([before, after, next], signs) || isGlued([beforeLast, before, after], signs)) return true;
  return isInsideAmount(text, offset, signs) || isBesideGroup(text, offset);
}

/** Two code points on each side of the offset, each empty beyond the text. */
function charactersAround(text: string, offset: number): [string, string, string, string] {
  const before = [...text.slice(Math.max(0, offset - 4), offset)];
  const after = [...text.slice(offset, offset + 4)];
  return [before.at(-2) ?? '', before.at(-1) ?? '', after[0] ?? '', after[1] ?? ''];
}

function isWord(character: string, signs: WordSigns): boolean {
  return signs.word.test(character) && (decimal.test(character) || !isUnspaced(character));
}

/** Returns whether a sign joins two characters to one word. */
function isGlued([before, sign, after]: readonly [string, string, string], signs: WordSigns): boolean {
  if (!isWord(before, signs) || !isWord(after, signs)) return false;
  if (signs.glue.test(sign)) return true;
  // Hebrew is often typed with quotation marks as signs of abbreviation.
  if (quotationMark.test(sign)) return hebrew.test(before) && hebrew.test(after);
  return signs.numberSign.test(sign) && digit.test(before) && digit.test(after);
}

function isInsideAmount(text: string, offset: number, { amount }: WordSigns): boolean {
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
