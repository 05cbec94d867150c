import { parseDateTime } from '@memory-read/contract/date-time';
import { matchMemory, type PreparedMemory, peopleOf, prepareMemory } from './match-memory.ts';
import { missCounter } from './miss-counter.ts';
import { isEmptyQuery, parseQuery, type QueryOptions } from './parse-query.ts';
import { readTimeRange } from './read-time-range.ts';
import type { MemoryHit, SearchMiss, SearchSource } from './search-types.ts';

/** Options of {@link searchMemories}. */
export interface SearchOptions extends QueryOptions {
  /** Earliest start of a memory: a time such as `2026-11-24`, or a `Date`. Default: no limit. */
  since?: Date | string | undefined;
  /** Time before which a memory starts. A day, a month or a year counts as a whole. Default: no limit. */
  until?: Date | string | undefined;
  /** IANA time zone of times without an offset. Default: `UTC`. */
  timeZone?: string | undefined;
  /** Maximum number of hits. Default: all. */
  limit?: number | undefined;
  /** Maximum number of hits of a memory. Default: all. */
  perMemory?: number | undefined;
}

/**
 * Returns the texts of memories that have all words of a query, or why there are none.
 *
 * All words have to be in the name, the summary, the takeaways and the passages of one memory, in any order. Memories
 * with all words in one text come first, then those with the words apart, each newest first. A word of 4 letters or
 * more is the beginning of a word; a shorter word, a number and a phrase are whole. Case and accents are ignored. See
 * {@link parseQuery} for the operators. `miss` is null if there is a hit, and for an empty query.
 *
 * @example
 * ```ts
 * const { hits } = searchMemories(memories, '"cancel the trip" premium');
 * for (const { name, offset, snippet } of hits) console.log(`${name}, ${offset} ms: ${snippet.text}`);
 * ```
 *
 * @throws {@link https://developer.mozilla.org/docs/Web/JavaScript/Reference/Global_Objects/RangeError | RangeError} if a time or the time zone is invalid.
 */
export function searchMemories(
  memories: Iterable<SearchSource | PreparedMemory>,
  query: string,
  options: SearchOptions = {},
): { hits: MemoryHit[]; miss: SearchMiss | null } {
  const { limit = Number.POSITIVE_INFINITY, perMemory = Number.POSITIVE_INFINITY } = options;
  const range = readTimeRange(options, options);
  const all = [...memories].map((memory) => ({ memory, start: startOf(memory) }));
  const people = all.flatMap(({ memory }) => ('texts' in memory ? memory.people : peopleOf(memory)));
  const parsed = parseQuery(query, { ...options, people: [...(options.people ?? []), ...people] });
  if (isEmptyQuery(parsed)) return { hits: [], miss: null };
  const inRange = all
    .filter(({ start }) => start >= range.since && start < range.until)
    .sort((one, other) => other.start - one.start)
    .map(({ memory }) => ('texts' in memory ? memory : prepareMemory(memory)));
  const compared = inRange.map((memory) => matchMemory(memory, parsed));
  const hits: MemoryHit[] = [];
  for (const tier of ['together', 'apart']) {
    for (const one of compared) {
      if (hits.length >= limit) break;
      if (one.match === tier) for (const hit of one.hits.slice(0, perMemory)) hits.push(hit);
    }
  }
  if (hits.length > 0) return { hits: hits.slice(0, limit), miss: null };
  const counter = missCounter(parsed);
  for (const memory of inRange) counter.add(memory);
  return { hits, miss: counter.result(all.length - inRange.length) };
}

/** A memory without a valid start is from 1970. */
function startOf(memory: SearchSource | PreparedMemory): number {
  return parseDateTime('texts' in memory ? memory.startedAt : memory.started_at) ?? 0;
}
