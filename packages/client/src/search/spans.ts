/** A part of a text, as UTF-16 offsets. The end is excluded. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Returns the smallest span, by `sizeOf`, with an occurrence of every term; undefined if a term does not occur. The span ends
 * after `after`.
 */
export function smallestSpan(
  found: readonly (readonly Span[])[],
  sizeOf: (span: Span) => number,
  after: number,
): Span | undefined {
  let best: { span: Span; size: number } | undefined;
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
    if (end <= after) continue;
    const size = sizeOf({ start, end });
    if (best === undefined || size < best.size) best = { span: { start, end }, size };
  }
  return best?.span;
}

/** Returns the spans in order. It merges adjacent ones. */
export function mergeSpans(found: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { start, end } of [...found].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
