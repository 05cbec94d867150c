import { charactersOf, columnsOf } from './columns.ts';
import { unspaced } from './scripts.ts';

/** Smallest part of a text that is not split. */
export interface Word {
  /** White space before it. */
  gap: string;
  text: string;
  /** Whether the text before it is the end of a sentence. */
  startsSentence: boolean;
  /** Columns of the whole text before the word, and before its end. */
  from: number;
  to: number;
}

const emoji = /\p{EPres}/u;
/** Signs between words of these and other scripts, and ends of emoji. A line can end after them. */
const separate = /[\u200b\u0f0b\p{EPres}\u{e007f}]|\u20e3|\ufe0f/u;
/** Ends of words that stay with the next one: an opening bracket, and a number before its counter. */
const notLineEnd = /[\p{Ps}\p{Pi}\p{N}]/u;
/** Beginnings of words that can begin a line: no small kana, marks of repetition or length, or closing signs. */
const lineStart =
  /^(?![\p{Lm}\u0e2fぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿｧ-ｯ])[\p{L}\p{N}\p{Ps}\p{Pi}\p{ExtPict}\p{RI}]/u;
const sentenceEnd = /[\p{STerm}…][\p{Pe}\p{Pf}"'\u200e\u200f]*$/u;
/** Words such as `Dr.`, `J.`, `e.g.` and `3.`, which seldom end a sentence. */
const abbreviation = /^(?:\p{Lu}\p{Ll}?|(?:\p{L}\.)+\p{L}|\p{N}+)\.$/u;
/** White space where a line can end. A mark after a space is one character with it. */
const spaces = /([^\S\xa0\u2007\u202f\ufeff]+(?![\p{M}\u200d]))/u;

let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the words of a text. A word is split only if it has more columns than a line.
 *
 * In scripts without spaces, words are those of `Intl.Segmenter`, with the signs that stay with them.
 */
export function wordsOf(text: string, columns: number, longest: number): Word[] {
  const words: Word[] = [];
  let before = '';
  for (const [index, part] of text.split(spaces).entries()) {
    if (index % 2 === 1) {
      before = part;
      continue;
    }
    for (const word of partsOf(part).flatMap((long) => cutWord(long, columns, longest))) {
      const last = words.at(-1);
      const from = (last?.to ?? 0) + before.length;
      const startsSentence = last !== undefined && sentenceEnd.test(last.text) && !abbreviation.test(last.text);
      words.push({ gap: before, text: word, startsSentence, from, to: from + columnsOf(word) });
      before = '';
    }
  }
  return words;
}

/** Returns the parts of a text without spaces between which a line can end. */
function partsOf(text: string): string[] {
  if (!unspaced.test(text) && !separate.test(text)) return [text];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  const parts: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const before = parts.at(-1);
    if (before !== undefined && !canBreak(before, segment)) parts[parts.length - 1] = before + segment;
    else parts.push(segment);
  }
  return parts;
}

function canBreak(before: string, after: string): boolean {
  const last = lastOf(before);
  const first = firstOf(after);
  if (!lineStart.test(first) || notLineEnd.test(last)) return false;
  return separate.test(last) || [last, first].some((character) => unspaced.test(character)) || emoji.test(first);
}

function firstOf(text: string): string {
  return [...text.slice(0, 2)][0] ?? '';
}

function lastOf(text: string): string {
  return [...text.slice(-2)].at(-1) ?? '';
}

function cutWord(word: string, columns: number, longest: number): string[] {
  if (columnsOf(word) <= longest) return [word];
  const parts: string[] = [];
  let left = 0;
  for (const character of charactersOf(word)) {
    const width = columnsOf(character);
    if (width > left) {
      parts.push('');
      left = columns;
    }
    parts[parts.length - 1] += character;
    left -= width;
  }
  return parts;
}
