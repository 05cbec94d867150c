import { replaceControls } from '@memory-read/contract/redaction';
import { foldWithPlaces, isAnyPart } from './fold.ts';
import type { Term } from './parse-query.ts';
import type { SearchText, TextSegments } from './search-texts.ts';
import type { MemoryHit } from './search-types.ts';
import { type Span, smallestSpan } from './spans.ts';
import { toSnippet } from './to-snippet.ts';

/** A hit without the memory that it is in. */
export type TextHit = Omit<MemoryHit, 'memoryId' | 'name' | 'startedAt'>;

/**
 * Returns the hit of a text: where its words are, and which words it does not have.
 *
 * It is undefined if all of the words are in the segments that the text before has, too. The hit then belongs to that text.
 *
 * @param isContinued - Whether the text before is searched, too. If it is not, each hit belongs to this text. Default: true.
 *
 * @example
 * ```ts
 * const [name, passage = name] = searchTexts(memory);
 * console.log(passage && hitOf(passage, parseQuery('premium').terms)?.snippet);
 * ```
 */
export function hitOf(
  { kind, speaker, person, text, segments }: SearchText,
  terms: readonly Term[],
  isContinued = true,
): TextHit | undefined {
  const original = foldWithPlaces(text);
  const places = terms.map((term) => ({ term, spans: findTerm(term, original) }));
  const found = places.filter(({ spans }) => spans.length > 0).map(({ spans }) => spans);
  const repeatedEnd = isContinued && segments?.repeated ? (segments.starts[segments.repeated] ?? text.length) : 0;
  const span = smallestSpan(found, (one) => sizeIn(segments, one), repeatedEnd);
  if (span === undefined && found.length > 0) return undefined;
  const run = segments && (span ? runOf(segments, span) : { first: 0, last: segments.starts.length - 1 });
  const lacks = places.filter(({ spans }) => spans.length === 0).map(({ term }) => term.text);
  const snippet = toSnippet(text, span, found.flat());
  return {
    kind,
    speaker,
    person,
    segments: segments && run && { first: segments.first + run.first, last: segments.first + run.last },
    offset: segments && run && (segments.offsets[run.first] ?? 0),
    snippet: { ...snippet, text: replaceControls(snippet.text) },
    match: lacks.length === 0 ? 'together' : 'apart',
    lacks,
  };
}

/** Returns the places of a term. A beginning stands for the whole word. */
function findTerm({ folded: wanted }: Term, { folded, starts, ends }: ReturnType<typeof foldWithPlaces>): Span[] {
  const spans: Span[] = [];
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
    const first = wanted.startsWith(' ') ? at + 1 : at;
    let after = at + wanted.length;
    if (wanted.endsWith(' ')) after -= 1;
    else if (!isAnyPart(wanted.slice(wanted.lastIndexOf(' ') + 1))) after = folded.indexOf(' ', after);
    spans.push({ start: starts[first] ?? 0, end: ends[after - 1] ?? 0 });
  }
  return spans;
}

/** A span with fewer segments is smaller. With the same number of segments, fewer characters are smaller. */
function sizeIn(segments: TextSegments | null, span: Span): number {
  const { first, last } = segments ? runOf(segments, span) : { first: 0, last: 0 };
  return (last - first) * 1e9 + (span.end - span.start);
}

function runOf({ starts }: TextSegments, { start, end }: Span): { first: number; last: number } {
  const first = starts.filter((begin) => begin <= start).length - 1;
  const last = starts.filter((begin) => begin < end).length - 1;
  return { first, last: Math.max(first, last) };
}
