import { type MemoryMatch, matchMemory, type PreparedMemory, termsIn } from './match-memory.ts';
import { isSpeaker, type Query } from './parse-query.ts';
import type { SearchMiss } from './search-types.ts';

const MOST_NEAREST = 3;

/** Counts why a search finds nothing. */
export interface MissCounter {
  /** Counts a memory. Add the newest memory first. */
  add(memory: PreparedMemory): void;
  /** Returns the counts so far, with the number of memories outside the range. */
  result(outsideRange: number): SearchMiss;
}

/**
 * Returns a counter for a query that finds nothing.
 *
 * @example
 * ```ts
 * const counter = missCounter(parseQuery('premium zebra'));
 * for (const one of memories) counter.add(prepareMemory(one)); // newest first
 * console.log(counter.result(0).words);
 * ```
 */
export function missCounter(query: Query): MissCounter {
  const { terms, speakers } = query;
  const words = terms.map(({ text }) => ({ text, memories: 0 }));
  const ofSpeakers = speakers.map((speaker) => ({ speaker, memories: 0 }));
  let nearest: MemoryMatch[] = [];
  return {
    add: (memory) => {
      const texts = memory.texts.filter(({ folded }) => folded !== ' ');
      const found = new Set(texts.flatMap(({ folded }) => termsIn(folded, terms)));
      for (const [term, word] of words.entries()) if (found.has(term)) word.memories += 1;
      for (const one of ofSpeakers) if (texts.some((text) => isSpeaker(text, one.speaker))) one.memories += 1;
      const match = matchMemory(memory, query);
      if (match.match !== 'some') return;
      nearest = [...nearest, match]
        .sort((one, other) => one.missing.length - other.missing.length)
        .slice(0, MOST_NEAREST);
    },
    result: (outsideRange) => ({
      words,
      speakers: ofSpeakers.map(({ speaker: { label }, memories }) => ({ label, memories })),
      outsideRange,
      nearest: nearest.flatMap(({ missing, hits }) => {
        const [hit] = [...hits].sort((one, other) => one.lacks.length - other.lacks.length);
        return hit === undefined ? [] : [{ ...hit, missing }];
      }),
    }),
  };
}
