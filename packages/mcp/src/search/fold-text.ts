import { visibleText } from '../receipt/visible-text.ts';

const unspaced = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
const spaced = `(?!${unspaced})[\\p{L}\\p{N}]`;
// Marks are consumed with their letter. A lookbehind would read them again at each position.
const changes = new RegExp(`${unspaced}(?=${spaced})|${spaced}(?:(?!${unspaced})\\p{M})*(?=${unspaced})`, 'gu');
const startsUnspaced = new RegExp(`^${unspaced}`, 'u');

/**
 * Returns the words of a text between single spaces, with a space at both ends. Case, accents and signs are removed.
 *
 * A word ends between a script without spaces and another script.
 */
export function foldText(text: string): string {
  const plain = visibleText(text)
    .normalize('NFKD')
    // In capitals, ß is SS, both kinds of a small sigma are one letter, and so are i and ı.
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(changes, '$& ');
  return ` ${plain.trim()} `;
}

/**
 * Returns the text to search in folded texts: for the beginning of a word, or in a script without spaces, for any part.
 */
export function foldTerm(text: string): string | undefined {
  const words = foldText(text).trim();
  if (!/[\p{L}\p{N}]/u.test(words)) return undefined;
  return startsUnspaced.test(words) ? words : ` ${words}`;
}

/** Returns a label of a speaker without case and accents. One without letters and digits, such as “???”, stays as it is. */
export function foldLabel(label: string): string {
  const words = foldText(label).trim();
  return words === '' ? visibleText(label) : words;
}
