/**
 * Matches a character of a script that has no spaces between words. Characters that Latin shares, such as `·`, do not
 * count.
 */
export const unspaced = new RegExp(
  `(?!\\p{scx=Latin})[${['Han', 'Hira', 'Kana', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tale', 'Talu', 'Lana', 'Tavt', 'Java', 'Bali', 'Yiii'].map((script) => `\\p{scx=${script}}`).join('')}]`,
  'u',
);

/**
 * Returns whether a character belongs to a script without spaces between words, such as Japanese, Chinese or Thai.
 *
 * Characters that Latin shares, such as `·`, do not count. Korean has spaces. See {@link joinTexts}.
 *
 * @example
 * ```ts
 * console.log(isUnspaced('会'), isUnspaced('é')); // true false
 * ```
 */
export function isUnspaced(character: string): boolean {
  return unspaced.test(character);
}
