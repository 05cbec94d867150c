import { fold, type Term } from '@memory-read/client/search';
import { isWhole } from '../receipt/check-quote.ts';

const LONGEST = 400;
const STEP = 100;

/**
 * Returns the part of a visible text with most of the terms, at most 400 characters that begin and end between words.
 *
 * It is undefined if a word is longer, so that the text has no such part.
 */
export function cutPassage(text: string, terms: readonly Term[]): [number, number] | undefined {
  if (text.length <= LONGEST) return text === '' ? undefined : [0, text.length];
  let best: { range: [number, number]; count: number } | undefined;
  for (let from = 0; from < text.length; from += STEP) {
    const range = wholeRange(text, from);
    if (range === undefined) continue;
    const folded = fold(text.slice(...range));
    const count = terms.filter((term) => folded.includes(term.folded)).length;
    if (best === undefined || count > best.count) best = { range, count };
    if (count === terms.length) break;
  }
  return best?.range;
}

function wholeRange(text: string, from: number): [number, number] | undefined {
  const limit = Math.min(text.length, from + LONGEST);
  for (let start = from; start < Math.min(limit, from + STEP); start += 1) {
    if (text[start] === ' ' || !isWhole(text, [start, text.length])) continue;
    for (let end = limit; end > start; end -= 1) if (isWhole(text, [start, end])) return [start, end];
    return undefined;
  }
  return undefined;
}
