import { visibleText } from '../receipt/visible-text.ts';

const unspaced = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]';
const spaced = `(?!${unspaced})[\\p{L}\\p{N}]`;
const changes = new RegExp(`(?<=${unspaced})(?=${spaced})|(?<=${spaced}\\p{M}*)(?=${unspaced})`, 'gu');
const startsUnspaced = new RegExp(`^${unspaced}`, 'u');

/**
 * Returns the words of a text between single spaces, with a space at both ends. Case, accents and signs make no difference.
 *
 * A change between a script without spaces and another one is the end of a word.
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
    .replace(changes, ' ');
  return ` ${plain.trim()} `;
}

/** Returns what to look for in folded texts: the beginning of a word, or any place in a script without spaces. */
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
