/**
 * Matches a character of a script that has no spaces between words. Characters that Latin shares, such as `·`, do not
 * count.
 */
export const unspaced = new RegExp(
  `(?!\\p{scx=Latin})[${['Han', 'Hira', 'Kana', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr', 'Tale', 'Talu', 'Lana', 'Tavt', 'Java', 'Bali', 'Yiii'].map((script) => `\\p{scx=${script}}`).join('')}]`,
  'u',
);
