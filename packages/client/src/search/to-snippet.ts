import type { MemoryHit } from './search-types.ts';
import { mergeSpans, type Span } from './spans.ts';

const LONGEST_SNIPPET = 500;
const LEAD = 80;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the part of a text around a span, with the occurrences in it. Both consist of whole characters. */
export function toSnippet(text: string, span: Span | undefined, occurrences: readonly Span[]): MemoryHit['snippet'] {
  const { start, end } = cutAround(text, span ?? { start: 0, end: 0 });
  const snippet = text.slice(start, end);
  const characters = graphemes.segment(snippet);
  const inside = occurrences
    .map((place) => ({ start: Math.max(place.start, start) - start, end: Math.min(place.end, end) - start }))
    .filter((place) => place.start < place.end)
    .map((place) => toCharacters(place, characters));
  return { text: snippet, highlights: mergeSpans(inside).map((place) => [place.start, place.end]) };
}

/**
 * A word can end within a character. For example, a search finds a Thai consonant without its vowel, but both are one
 * character.
 */
function toCharacters({ start, end }: Span, characters: Intl.Segments): Span {
  const last = characters.containing(end - 1);
  return {
    start: characters.containing(start)?.index ?? start,
    end: last === undefined ? end : last.index + last.segment.length,
  };
}

function cutAround(text: string, span: Span): Span {
  if (text.length <= LONGEST_SNIPPET) return { start: 0, end: text.length };
  const earliest = Math.max(0, Math.min(span.start - LEAD, text.length - LONGEST_SNIPPET));
  const bounds = boundariesOf(text, earliest, Math.min(text.length, earliest + LONGEST_SNIPPET));
  // Prefers the start of a word, which is after a space.
  const start = bounds.find((at) => at <= span.start && (at === 0 || text[at - 1] === ' ')) ?? bounds[0] ?? 0;
  return { start, end: bounds.filter((at) => at - start <= LONGEST_SNIPPET).at(-1) ?? text.length };
}

/** Returns the boundaries of whole characters from one offset to another, both included. */
function boundariesOf(text: string, from: number, to: number): number[] {
  // A character can begin before the first offset, and end after the last one.
  const margin = 64;
  const first = Math.max(0, from - margin);
  const bounds = [...graphemes.segment(text.slice(first, to + margin))].map(({ index }) => first + index);
  if (to === text.length) bounds.push(to);
  return bounds.filter((at) => at >= from && at <= to);
}
