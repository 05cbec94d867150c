import { visibleForm } from '@memory-read/contract/visible-text';
import type { WordSigns } from './signs.ts';

// The rules of receipts that were written before texts of scripts without spaces were joined without a space, and before hidden characters and signs were recognized by their properties. They do
// not change, because such receipts do not.

const earlierApostrophes = "'\\u2018-\\u201b\\u2039\\u203a\\u2032\\u2035\\u02bc\\u00b4\\u0060\\uff07\\u055a\\u1fbf";
const earlierHyphens = '\\-\\u058a\\u05be\\u2010-\\u2013\\u2212\\ufe58\\ufe63\\uff0d';

/** Joins texts as earlier receipts have them. */
export function joinWithSpaces(texts: readonly string[]): string {
  return texts.join(' ');
}

/** Returns the visible part of a text, as earlier receipts have it. */
export function earlierText(text: string): string {
  return visibleForm(text, (separated) =>
    separated
      .replace(/(?![\u200c\u200d])\p{DI}/gu, '')
      .replace(
        /([\u200c\u200d](?=\p{L})(?<=\p{L}\p{M}*.)|\u200d(?=\p{ExtPict})(?<=[\p{ExtPict}\p{EMod}].))|[\u200c\u200d]+/gu,
        '$1',
      ),
  );
}

/** The signs of words in earlier receipts. */
export const earlierSigns: WordSigns = {
  word: /^[\p{L}\p{M}\p{N}_\u200c\u200d]/u,
  glue: new RegExp(`^[${earlierApostrophes}${earlierHyphens}\\u00b7\\u2027\\u2219\\u22c5\\u05f3\\u05f4]`),
  numberSign: /^[.,:/^\u060c\u066b\u066c\u2044\uff0c\uff0e\uff0f\uff1a]/,
  numeral: /^(?!)/,
  amount: new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}\\p{Pd}_])(?:\\p{Sc}?(?:[${earlierHyphens}]|\\u2212 )(?:\\p{Lu}{0,3}\\p{Sc})?[.\\u00b7\\u066b]?|(?<![.…])[.\\u00b7\\u066b])\\p{N}`,
    'gu',
  ),
};
