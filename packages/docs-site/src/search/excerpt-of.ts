import { termOf } from './words.ts';

/** A piece of an excerpt. */
export interface Piece {
  text: string;
  /** Whether it is a word that was searched. */
  isFound: boolean;
}

const width = 170;

/** Returns the part of a text that has the most of the `terms`, with each word of them marked. */
export function excerptOf(text: string, terms: readonly string[]): Piece[] {
  const wanted = new Set(terms);
  const words = Array.from(text.matchAll(/[\p{L}\p{N}_-]+/gu), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    term: termOf(word) ?? '',
  }));
  const found = words.filter(({ term }) => wanted.has(term));
  const variety = (start: number) =>
    new Set(found.filter((word) => word.start >= start && word.end <= start + width).map(({ term }) => term)).size;
  const [best] = found.toSorted((first, second) => variety(second.start) - variety(first.start));
  const from = startOf(text, best?.start ?? 0);
  const cut = text.slice(from, from + width);
  const end = from + (text.length > from + width ? Math.max(cut.lastIndexOf(' '), 1) : cut.length);

  const pieces: Piece[] = [{ text: from > 0 ? '… ' : '', isFound: false }];
  let position = from;
  for (const word of found) {
    if (word.start < position || word.end > end) continue;
    pieces.push({ text: text.slice(position, word.start), isFound: false });
    pieces.push({ text: text.slice(word.start, word.end), isFound: true });
    position = word.end;
  }
  pieces.push({ text: text.slice(position, end) + (end < text.length ? ' …' : ''), isFound: false });
  return pieces.filter((piece) => piece.text !== '');
}

/** Begins at a line or a few words before the place that was found. */
function startOf(text: string, place: number): number {
  const line = text.lastIndexOf('\n', place) + 1;
  if (place - line < width / 2) return line;
  return text.indexOf(' ', place - width / 3) + 1;
}
