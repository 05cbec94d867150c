// Matches characters that extend the one before them: marks, joiners, tones of emoji, and letters that are written as
// marks.
const extension = /^(?:[\p{M}\u0e33\u0eb3\uff9e\uff9f]|\p{EMod}|\u200c|\u200d)/u;
const regional = /^\p{RI}/u;
// Older runtimes do not join the consonants that Myanmar and Khmer stack.
const joiners = /^(?:\u200c|\u200d|\u1039|\u17d2)/;
const mark = /^\p{M}/u;
const letter = /^\p{L}/u;
const mayJoin = /^(?!\p{Ideo})[\p{M}\p{Cf}\p{Lo}]/u;
const MOST_REGIONALS = 32;
const MOST_KNOWN = 4_096;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
// Intl.Segmenter is too slow to run for each offset.
const known = new Map<string, boolean>();

/** Returns whether an offset of a visible text splits a user-perceived character. */
export function isInsideCharacter(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  if (isLow(text.charCodeAt(offset)) && isHigh(text.charCodeAt(offset - 1))) return true;
  const next = text.slice(offset, offset + 2);
  if (extension.test(next)) return true;
  if (regional.test(next) && isHalfOfFlag(text, offset)) return true;
  const before = characterBefore(text, offset);
  if (joiners.test(before)) return true;
  return isPrefix(before) && (letter.test(next) || !mark.test(before));
}

/**
 * Flags are pairs: an odd number of regional indicators before the offset leaves one open. A longer row is not split,
 * because counting it again at each offset would take quadratic time.
 */
function isHalfOfFlag(text: string, offset: number): boolean {
  let count = 0;
  while (count < MOST_REGIONALS && regional.test(text.slice(Math.max(0, offset - 2 * count - 2), offset - 2 * count)))
    count += 1;
  return count === MOST_REGIONALS || count % 2 === 1;
}

/** Returns whether a character is a prefix of the next one, or stacks the consonants beside it. */
export function isPrefix(character: string): boolean {
  if (!mayJoin.test(character)) return false;
  const found = known.get(character);
  if (found !== undefined) return found;
  if (known.size === MOST_KNOWN) known.clear();
  const last = [...graphemes.segment(`\u0915${character}\u0915`)].at(-1)?.segment;
  const joins = last !== '\u0915';
  known.set(character, joins);
  return joins;
}

function characterBefore(text: string, offset: number): string {
  const start = isLow(text.charCodeAt(offset - 1)) && isHigh(text.charCodeAt(offset - 2)) ? offset - 2 : offset - 1;
  return text.slice(start, offset);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
