import type { Term } from './parse-query.ts';
import { type Token, tokenize } from './tokens.ts';

/** Position of a term in a text, as UTF-16 offsets. The end is excluded. */
export interface Occurrence {
  start: number;
  end: number;
}

/** Returns the positions of each term in a text, in order. */
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

/** Returns the smallest span, by `sizeOf`, with an occurrence of every term; undefined if a term does not occur. */
export function smallestSpan(
  found: readonly (readonly Occurrence[])[],
  sizeOf: (span: Occurrence) => number,
): Occurrence | undefined {
  let best: { span: Occurrence; size: number } | undefined;
  const starts = found
    .flat()
    .map(({ start }) => start)
    .sort((one, other) => one - other);
  const next = found.map(() => 0);
  for (const start of starts) {
    let end = start;
    for (const [term, places] of found.entries()) {
      while ((places[next[term] as number]?.start ?? start) < start) next[term] = (next[term] as number) + 1;
      const place = places[next[term] as number];
      if (place === undefined) return best?.span;
      end = Math.max(end, place.end);
    }
    const size = sizeOf({ start, end });
    if (best === undefined || size < best.size) best = { span: { start, end }, size };
  }
  return best?.span;
}

/** Returns the occurrences in order. It merges adjacent ones. */
export function mergeOccurrences(found: readonly Occurrence[]): Occurrence[] {
  const merged: Occurrence[] = [];
  for (const { start, end } of [...found].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
