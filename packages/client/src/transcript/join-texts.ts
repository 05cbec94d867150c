import { unspaced } from './scripts.ts';

// Wide punctuation, such as `！`, belongs to no script, but only scripts without spaces use it.
const neighbour = `(?:${unspaced.source}|[\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65])`;
const endsUnspaced = new RegExp(`${neighbour}\\p{DI}*$`, 'u');
const startsUnspaced = new RegExp(`^\\p{DI}*${neighbour}`, 'u');
/** The text before can be long, and a pattern without a beginning is tried at each of its characters. */
const LONGEST_END = 8;
const lineBreak = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/**
 * Returns consecutive texts of one speaker as one text on one line.
 *
 * Texts and their lines are joined with one space. They are joined without a space if both characters at the border are of a
 * script without spaces, such as Chinese, Japanese or Thai: a word can continue there. White space around texts and
 * lines is removed. A blank text adds nothing. See section 2.2 of the specification.
 *
 * @example
 * ```ts
 * console.log(joinTexts(['来週のプロ', 'ジェクト会議は木曜日です。'])); // 来週のプロジェクト会議は木曜日です。
 * ```
 */
export function joinTexts(texts: readonly string[]): string {
  let joined = '';
  for (const line of texts.flatMap(linesOf)) joined += separatorBetween(joined, line) + line;
  return joined;
}

/** Returns the lines of a text that are not blank, without white space around them. */
export function linesOf(text: string): string[] {
  return text
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns what stands between two texts. The texts have no white space at their border. */
export function separatorBetween(before: string, after: string): '' | ' ' {
  if (before === '' || after === '') return '';
  return startsUnspaced.test(after) && endsUnspaced.test(before.slice(-LONGEST_END)) ? '' : ' ';
}
