import type { Memory, Segment } from '@memory-read/client';
import { storedSegments } from '@memory-read/client/transcript';
import { cutText, isInsideCharacter } from '@memory-read/contract/visible-text';
import { readPassage } from './read-passage.ts';
import type { Receipt } from './receipt.ts';

/** Maximum characters on each side of a quote, and of the quote itself. */
const NEAR = 200;
const LONGEST_QUOTE = 400;
const sentences = new Intl.Segmenter('und', { granularity: 'sentence' });
/** “Mr.” and “U.S.” end no sentence. */
const abbreviation = /(?<!\p{L})\p{Lu}\p{Ll}{0,3}\.\s*$/u;

/** What a reader has to know about a quote. */
export interface QuoteContext {
  /** Whether the quote is all that its segments say. */
  whole: boolean;
  /** The sentences of the same speaker around the quote, also over several segments. Each cut is marked with `…`. */
  context: string;
}

/** Returns the context of a quote; undefined if it is not in the memory. */
export function quoteContext(memory: Memory, { segments, chars }: Receipt): QuoteContext | undefined {
  const stored = storedSegments(memory);
  const quoted = readPassage(stored, segments);
  const [first, last] = widen(stored, segments);
  const around = readPassage(stored, [first, last]);
  const begin = around?.places[segments[0] - first]?.start;
  if (quoted === undefined || around === undefined || begin === undefined) return undefined;
  const { text } = around;
  const [start, end] = [begin + chars[0], begin + chars[1]];
  const [from, to] = sentencesAround(text, start, end);
  const quote = text.slice(start, end);
  const shown = [
    from > 0 && start - from === NEAR ? `…${endOf(text.slice(0, start))}` : text.slice(from, start),
    quote.length > LONGEST_QUOTE ? `${cutText(quote, NEAR)} … ${endOf(quote)}` : quote,
    to < text.length && to - end === NEAR ? `${cutText(text.slice(end), NEAR)}…` : text.slice(end, to).trimEnd(),
  ];
  return { whole: quote.length === quoted.text.length, context: shown.join('') };
}

/** Adds the neighbours of the same speaker that can be near the quote. */
function widen(segments: readonly Segment[], [start, end]: readonly [number, number]): [number, number] {
  const label = segments[start]?.speaker;
  const reach = (from: number, step: 1 | -1): number => {
    let place = from;
    for (let length = 0; length < NEAR; place += step) {
      const next = segments[place + step];
      if (next === undefined || next.speaker !== label) break;
      length += next.text.length;
    }
    return place;
  };
  return [reach(start, -1), reach(end, 1)];
}

/** Returns the range of the sentences that contain a quote, at most 200 characters beyond it on each side. */
function sentencesAround(text: string, start: number, end: number): [number, number] {
  const base = Math.max(0, start - NEAR);
  const limit = Math.min(text.length, end + NEAR);
  let [from, to] = [base, limit];
  let previous = '';
  for (const { index, segment } of sentences.segment(text.slice(base, limit))) {
    const begin = base + index;
    if (begin <= start && !abbreviation.test(previous)) from = begin;
    if (begin + segment.length >= end && !abbreviation.test(segment)) {
      to = begin + segment.length;
      break;
    }
    previous = segment;
  }
  return [from, to];
}

/** Returns the end of a text. It does not begin with a part of a character. */
function endOf(text: string): string {
  let from = Math.max(0, text.length - NEAR);
  while (isInsideCharacter(text, from)) from += 1;
  return text.slice(from);
}
