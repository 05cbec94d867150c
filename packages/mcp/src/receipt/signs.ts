/**
 * Signs that are written as an apostrophe, as the body of a character class. A quote can have any of them for another.
 */
export const apostrophes =
  "'\\u2018-\\u201b\\u2039\\u203a\\u2032\\u2035\\u02bc\\u00b4\\u0060\\u0384\\uff07\\uff40\\u055a\\u1fbd\\u1fbf\\u1ffe\\u275b\\u275c";

/** Hyphens and minus signs, as the body of a character class. Longer dashes stand between words. */
export const hyphens =
  '\\-\\u02d7\\u058a\\u05be\\u2010-\\u2013\\u2043\\u207b\\u208b\\u2212\\u2796\\ufe58\\ufe63\\uff0d';

/** Signs that make one word of what is beside them. */
export interface WordSigns {
  /** Matches a character of a word. */
  readonly word: RegExp;
  /** Matches a sign that joins two of them. */
  readonly glue: RegExp;
  /** Matches a sign that joins two digits. */
  readonly numberSign: RegExp;
  /** Matches a numeral: two of them beside each other are one number. */
  readonly numeral: RegExp;
  /** Matches all numbers with what belongs to them and is not a digit. */
  readonly amount: RegExp;
}

// The look-alikes of a sign are many and become more. Most of them share its category.
const longDashes = '\\u2014\\u2015\\u2e3a\\u2e3b\\u301c\\u3030\\ufe31\\ufe32';
const points = '.\\u00b7\\u066b\\u2024\\u2027\\u2219\\u22c5\\u2e33\\ufe52\\uff0e';
const currency = '(?:\\p{Lu}{0,3}\\p{Sc})?';
// Signs of comparison are mirrored in text from right to left, and turn a number around also from a distance.
const apart = '(?:!=|[\\u2212\\u00b1\\u2213\\u00ac]|(?=\\p{Sm})\\p{Bidi_M}\\p{M}*=?) ';
const beside = '!?(?:(?!\\|)\\p{Sm}\\p{M}*)+';

/**
 * “can’t”, “non-stop”, “3.5”, “-5”, “-$5”, “≠5” and “.5” are words. U+2212, which is never a hyphen, and signs such as
 * “<” can stand apart from their number.
 */
export const wordSigns: WordSigns = {
  word: /^[\p{Alpha}\p{M}\p{N}\p{Pc}\u200c\u200d]/u,
  // Signs that stand between letters of one word in Catalan and Hebrew belong to these.
  glue: new RegExp(
    `^(?:[${apostrophes}${hyphens}\\p{Sk}\\u00b7\\u2027\\u2219\\u22c5\\u05f3\\u05f4]|(?![${longDashes}])\\p{Pd})`,
    'u',
  ),
  // Texts in Chinese and Japanese have no space after their own punctuation.
  numberSign: /^(?![\u2025\u2026]|(?![\u301c\u30fb\uff65])\p{scx=Han})[\p{Po}\p{Sm}\p{Sk}\u301c]/u,
  // “5万” and “二十五” are numbers of Chinese and Japanese.
  numeral: /^[\p{N}〇零一二三四五六七八九十百千万萬億亿兆]/u,
  amount: new RegExp(
    `(?:(?<![\\p{L}\\p{M}\\p{N}\\p{Pd}_])(?:\\p{Sc}?(?:[${hyphens}]|\\u2212 )${currency}[${points}]?|(?<![.…])[${points}])` +
      `|(?:${apart}|${beside})[${hyphens}]?${currency}[${points}]?)\\p{N}`,
    'gu',
  ),
};
