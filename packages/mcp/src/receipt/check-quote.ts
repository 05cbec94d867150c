import { isInsideWord } from './is-inside-word.ts';
import type { Passage } from './read-passage.ts';
import { type WordSigns, wordSigns } from './signs.ts';

/**
 * Returns whether a part of a passage can be quoted: it has text of the first and the last segment, and splits no word.
 */
export function touchesEnds({ places }: Passage, [start, end]: readonly [number, number]): boolean {
  const first = places[0];
  const last = places.at(-1);
  return first !== undefined && last !== undefined && start < first.end && end > last.start;
}

/** Returns whether a part of a text consists of whole words, without white space around them. */
export function isWhole(text: string, [start, end]: readonly [number, number], signs: WordSigns = wordSigns): boolean {
  if (!(start >= 0 && start < end && end <= text.length)) return false;
  if (text[start] === ' ' || text[end - 1] === ' ') return false;
  return !isInsideWord(text, start, signs) && !isInsideWord(text, end, signs);
}
