import type { Term } from './parse-query.ts';
import { type Token, tokenize } from './tokens.ts';

/** Where a term is in a text: UTF-16 offsets, the end excluded. */
export interface Occurrence {
  start: number;
  end: number;
}

/** Returns the places of each term in a text, in order. */
export function findTerms(text: string, terms: readonly Term[]): Occurrence[][] {
  const tokens = tokenize(text);
  return terms.map((term) =>
    tokens.flatMap((token, index) => {
      if (!matches(tokens, index, term)) return [];
      const last = tokens[index + term.length - 1] as Token;
      return [{ start: token.start, end: last.end }];
    }),
  );
}

function matches(tokens: readonly Token[], index: number, { tokens: wanted, isPrefix, length }: Term): boolean {
  if (index + length > tokens.length) return false;
  return wanted.every((text, step) => {
    const found = tokens[index + step]?.text;
    return isPrefix && step === wanted.length - 1 ? found?.startsWith(text) : found === text;
  });
}

/** Returns the smallest span with an occurrence of every term, by the size that is given; undefined without one. */
export function smallestSpan(
  found: readonly (readonly Occurrence[])[],
  sizeOf: (span: Occurrence) => number,
): Occurrence | undefined {
  let best: { span: Occurrence; size: number } | undefined;
  for (const { start } of found.flat()) {
    const ends = found.map((places) => places.find((place) => place.start >= start)?.end);
    if (ends.includes(undefined)) continue;
    const span = { start, end: Math.max(...(ends as number[])) };
    const size = sizeOf(span);
    if (best === undefined || size < best.size || (size === best.size && start < best.span.start))
      best = { span, size };
  }
  return best?.span;
}

/** Returns the occurrences in order. Those that touch are one. */
export function mergeOccurrences(found: readonly Occurrence[]): Occurrence[] {
  const merged: Occurrence[] = [];
  for (const { start, end } of [...found].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
